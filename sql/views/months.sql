-- One row per month from 2008 to 2040, in the database's time zone. Reports count by these months: a run of a report
-- may hide the view by a table of the same name, with the months that are asked for.
--
-- Catalog: no
--
-- Columns:
--   month_number  –      –  months since year 0: 12 * year + month - 1
--   month         month  –  the month, such as 2024-02
--   begins_ms     ms     –  first moment of the month
--   ends_ms       ms     –  first moment of the next month
--   last_day      –      –  number of the month's last day, as in days
CREATE VIEW months AS
SELECT
    month_number,
    month,
    begins_ms,
    ends_ms,
    last_day
FROM model_months;
