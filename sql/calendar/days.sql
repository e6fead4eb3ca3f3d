-- Writes a row of model_days: day number ?1, which runs from ?2 to ?3, in milliseconds since 1970 UTC. Weeks begin on
-- Monday; 1970 began on a Thursday.

INSERT INTO model_days
SELECT
    number, date, number - (number + 3) % 7, date((number - (number + 3) % 7) * 86400, 'unixepoch'),
    substr(date, 1, 4) * 12 + substr(date, 6, 2) - 1, substr(date, 1, 7), begins, ends,
    CASE WHEN date(date, '+1 day') LIKE '%-01' THEN 31 ELSE CAST(substr(date, 9, 2) AS INTEGER) END
FROM (SELECT ?1 AS number, date(?1 * 86400, 'unixepoch') AS date, ?2 AS begins, ?3 AS ends);
