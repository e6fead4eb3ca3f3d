-- Months of the database's time zone, 2008 to 2040. A report counts the months of this view; receiptmill report puts
-- those before it that are asked.
--
-- Columns:
--   month_number  –   –  12 × year + month − 1
--   month         –   –  the month, as 2024-02
--   begins_ms     ms  –  when it begins
--   ends_ms       ms  –  when the next begins
CREATE VIEW months AS
SELECT month_number, month, begins_ms, ends_ms FROM model_months;
