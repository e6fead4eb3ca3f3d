-- One row per month of 2008 to 2040, by the clock that the database tells days by. Reports count by these months: a
-- run puts a table of the same name before the view, which holds those that are asked for.
--
-- Catalog: no
--
-- Columns:
--   month_number  –      –  months since year 0: 12 * year + month - 1
--   month         month  –  the month, as in 2024-02
--   begins_ms     ms     –  its first moment
--   ends_ms       ms     –  the first moment behind it
--   last_day      –      –  number of the month's last day, as in days
CREATE VIEW months AS
SELECT
    month_number,
    month,
    begins_ms,
    ends_ms,
    last_day
FROM model_months;
