-- Days of the database's time zone, 2008 to 2040.
--
-- Catalog: no
--
-- Columns:
--   day_number  days since 1970  –  the day's number
--   day         date             –  the day
--   week        date             –  the Monday on which its week begins
--   month       month            –  its month
--   begins_ms   ms               –  when it begins
--   ends_ms     ms               –  when the next begins
--   closes      time             –  its last second, in UTC
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
