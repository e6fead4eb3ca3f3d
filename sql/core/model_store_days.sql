-- Pacific days that loaded report files of sales and finance cover. A file's days do not count if a file of the same
-- report and developer account with a shorter span overlaps them. A FINANCE_DETAIL file covers the fiscal months in
-- which its rows were settled.
--
-- Grain: one row per report and day
-- Key: report, day_number
--
-- Columns:
--   report      TEXT!     –  kind of report file: sales, financial or finance_detail
--   day_number  INTEGER!  –  number of a Pacific day that a report file covers
WITH spans AS (
    SELECT DISTINCT file.report, file.vendor, sale.begins_day, sale.ends_day
    FROM store_sale AS sale
    JOIN store_file AS file ON file.file_id = sale.file_id
),

told AS (
    SELECT spans.report, spans.begins_day AS from_day, spans.ends_day AS until_day
    FROM spans
    LEFT JOIN spans AS other
        ON other.report = spans.report
        AND other.vendor = spans.vendor
        AND other.begins_day <= spans.ends_day
        AND other.ends_day >= spans.begins_day
        AND other.ends_day - other.begins_day < spans.ends_day - spans.begins_day
    WHERE spans.report <> 'finance_detail'
        AND other.report IS NULL
    UNION
    SELECT spans.report, fiscal.begins_day, fiscal.ends_day
    FROM spans
    JOIN model_fiscal_months AS fiscal ON fiscal.begins_day <= spans.ends_day AND fiscal.ends_day >= spans.ends_day
    WHERE spans.report = 'finance_detail'
)

SELECT DISTINCT told.report, day.day_number
FROM told
JOIN model_days AS day ON day.day_number >= told.from_day AND day.day_number <= told.until_day
