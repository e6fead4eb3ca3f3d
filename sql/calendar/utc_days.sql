-- Fills model_utc_days from the JSON array ?1 of [number, midnight, earlier day, later day].

INSERT INTO model_utc_days
SELECT number, midnight, earlier, later, substr(earlier_date, 1, 4) * 12 + substr(earlier_date, 6, 2) - 1, substr(later_date, 1, 4) * 12 + substr(later_date, 6, 2) - 1
FROM (
    SELECT
        value ->> 0 AS number, value ->> 1 AS midnight, value ->> 2 AS earlier, value ->> 3 AS later,
        date((value ->> 2) * 86400, 'unixepoch') AS earlier_date,
        date((value ->> 3) * 86400, 'unixepoch') AS later_date
    FROM json_each(?)
);
