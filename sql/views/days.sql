-- Days of the database's time zone, 2008 to 2040.
--
-- Catalog: no
--
-- Columns:
--   day_number  days since 1970  –  days since 1970-01-01
--   day         date             –  the day as a date
--   week        date             –  the Monday on which its week begins
--   month       month            –  the day's month, such as 2026-01
--   begins_ms   ms               –  first moment of the day
--   ends_ms     ms               –  first moment of the next day
--   closes      time             –  last second of the day, in UTC
CREATE VIEW days AS
SELECT
    day_number,
    day,
    week,
    month,
    begins_ms,
    ends_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', (ends_ms - 1000) / 1000, 'unixepoch') AS closes
FROM model_days;
