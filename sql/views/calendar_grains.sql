-- Each day of calendar three times: with its month, its week and itself. Reports that
-- count by a grain of the reader's choice join it with that grain.
--
-- Columns:
--   grain       –                –  month, week or day
--   period      –                –  text: of the grain month the month (2024-02), of week the Monday on which the week
--                                   begins, of day the day
--   period_number  –             –  its number: the next period has the next one
--   day         day              –  a day of the period
--   day_number  days since 1970  –  the same as a number
CREATE VIEW calendar_grains AS
SELECT
    grains.grain,
    CASE grains.grain
        WHEN 'month' THEN calendar.month
        WHEN 'week' THEN calendar.week
        ELSE calendar.day
    END AS period,
    CASE grains.grain
        WHEN 'month' THEN calendar.month_number
        WHEN 'week' THEN (calendar.day_number + 3) / 7
        ELSE calendar.day_number
    END AS period_number,
    calendar.day,
    calendar.day_number
FROM (SELECT 'month' AS grain UNION ALL SELECT 'week' UNION ALL SELECT 'day') AS grains
CROSS JOIN calendar;
