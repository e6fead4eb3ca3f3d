-- Fills model_days from the JSON array ?1 of [number, begin, end]. Weeks begin on Monday; 1970 began on a Thursday.

INSERT INTO model_days
SELECT
    number, date, number - (number + 3) % 7, date((number - (number + 3) % 7) * 86400, 'unixepoch'),
    substr(date, 1, 4) * 12 + substr(date, 6, 2) - 1, substr(date, 1, 7), begins, ends,
    CASE WHEN date(date, '+1 day') LIKE '%-01' THEN 31 ELSE CAST(substr(date, 9, 2) AS INTEGER) END
FROM (
    SELECT
        value ->> 0 AS number, date((value ->> 0) * 86400, 'unixepoch') AS date, value ->> 1 AS begins,
        value ->> 2 AS ends
    FROM json_each(?)
);
