-- One row per day of the years 2008 to 2040, with numbers to count with:
-- reports add days to day_number and find the day here, because engines differ
-- in their arithmetic of dates.
--
-- Columns:
--   day           day              –  the day
--   day_number    days since 1970  –  the same as a number
--   month         month            –  its month
--   week          day              –  the Monday of its week (ISO 8601), which may lie in another month or year
--   month_number  –                –  months since year 0
CREATE VIEW calendar AS
WITH RECURSIVE counted(day_number) AS (
    SELECT CAST(strftime('%s', '2008-01-01') AS INTEGER) / 86400
    UNION ALL
    SELECT day_number + 1 FROM counted
    WHERE day_number < CAST(strftime('%s', '2040-12-31') AS INTEGER) / 86400
),

named AS (
    SELECT day_number, strftime('%Y-%m-%d', day_number * 86400, 'unixepoch') AS day FROM counted
)

SELECT
    day,
    day_number,
    substr(day, 1, 7) AS month,
    strftime('%Y-%m-%d', (day_number - (day_number + 3) % 7) * 86400, 'unixepoch') AS week,
    12 * CAST(substr(day, 1, 4) AS INTEGER) + CAST(substr(day, 6, 2) AS INTEGER) - 1 AS month_number
FROM named;
