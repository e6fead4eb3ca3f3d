-- The months that a report counts by: rows of the view months. The newest document is that of the apps counted.
--
-- Parameters:
--   :from   month_or_all           null  first month; or all; by default 12 months before the last
--   :until  month_or_all(:from..)  null  last month; or all; by default that of the newest document
WITH asked AS (
    SELECT
        coalesce(:from, '') AS first_month,
        coalesce(:until, '') AS last_month,
        max(last_month) AS newest_month
    FROM apps
),

bounds AS (
    SELECT
        CASE
            WHEN first_month IN ('', 'all') THEN NULL
            ELSE 12 * CAST(substr(first_month, 1, 4) AS BIGINT) + CAST(substr(first_month, 6, 2) AS BIGINT) - 1
        END AS first_number,
        CASE
            WHEN last_month = '' THEN newest_month
            WHEN last_month <> 'all'
                THEN 12 * CAST(substr(last_month, 1, 4) AS BIGINT) + CAST(substr(last_month, 6, 2) AS BIGINT) - 1
        END AS last_number,
        first_month,
        last_month,
        newest_month
    FROM asked
)

SELECT months.*
FROM main.months AS months
JOIN bounds
    ON (bounds.last_month = 'all' OR months.month_number <= bounds.last_number)
    AND (bounds.first_month = 'all'
        OR months.month_number >= coalesce(bounds.first_number, coalesce(bounds.last_number, bounds.newest_month) - 12))
