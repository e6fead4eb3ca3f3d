-- The rows of subscription_cohorts by number, without names and without until when they are known.
--
-- Columns:
--   app_number       –                        –               the app's number in this database alone
--   original_number  –                        –               the original transaction, as the loader keeps it
--   product_number   –                        –               number of the first period's product in this database alone
--   first_paid_ms    milliseconds since 1970  attribute 1704  begin of the first paid or introductory period
--   paid_periods     periods                  –               as in subscription_cohorts
--   start_ms         milliseconds since 1970  attribute 1704  begin of this period
--   end_ms           milliseconds since 1970  –               when it expires or was canceled
--   next_start_ms    milliseconds since 1970  attribute 1704  begin of the next period; null where there is none
CREATE VIEW cohorts_by_number AS
WITH named AS (
    SELECT product_number, row_number() OVER (ORDER BY product_id) AS place FROM product
)

SELECT
    placed.app_number,
    placed.original_number,
    named.product_number,
    placed.first_paid_ms,
    placed.paid_periods,
    placed.start_ms,
    placed.end_ms,
    placed.next_start_ms
FROM (
    SELECT
        app_number,
        original_number,
        start_ms,
        end_ms,
        lead(start_ms) OVER (PARTITION BY original_number, app_number ORDER BY start_ms) AS next_start_ms,
        min((start_ms / 1000 + 62135596800) * 16777216 + product_place) OVER running % 16777216 AS place,
        sum(is_paid) OVER running AS paid_periods,
        min(CASE WHEN is_paid = 1 THEN start_ms END) OVER running AS first_paid_ms
    FROM begins_by_number
    WINDOW running AS (
        PARTITION BY original_number, app_number ORDER BY start_ms
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
) AS placed
LEFT JOIN named ON named.place = placed.place
WHERE placed.paid_periods > 0;
