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
SELECT
    placed.app_id AS app_number,
    placed.original_transaction_id AS original_number,
    placed.first_product_number AS product_number,
    placed.first_paid_start AS first_paid_ms,
    placed.paid_periods,
    placed.start_ms,
    placed.end_ms,
    placed.next_start AS next_start_ms
FROM (
    SELECT
        app_id,
        original_transaction_id,
        first_product_number,
        start_ms,
        end_ms,
        lead(start_ms) OVER (PARTITION BY original_transaction_id, app_id ORDER BY start_ms) AS next_start,
        sum(is_paid) OVER (
            PARTITION BY original_transaction_id, app_id ORDER BY start_ms
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS paid_periods,
        min(CASE WHEN is_paid = 1 THEN start_ms END) OVER (
            PARTITION BY original_transaction_id, app_id ORDER BY start_ms
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS first_paid_start
    FROM (
        SELECT
            app_id,
            original_transaction_id,
            purchase_date AS start_ms,
            max(first_product_number) AS first_product_number,
            -- Of copies one states a cancellation before another does; that one counts.
            min(coalesce(cancellation_date, expires_date)) AS end_ms,
            max(CASE WHEN coalesce(is_trial_period, 0) = 0 THEN 1 ELSE 0 END) AS is_paid
        FROM (
            SELECT
                app_id,
                original_transaction_id,
                purchase_date,
                expires_date,
                cancellation_date,
                is_trial_period,
                first_value(product_number) OVER (
                    PARTITION BY original_transaction_id, app_id
                    ORDER BY product_number IS NULL, purchase_date, expires_date, transaction_id
                    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
                ) AS first_product_number
            FROM unshared_purchases
            WHERE expires_date > purchase_date
                AND original_transaction_id IS NOT NULL
        ) AS sold
        GROUP BY original_transaction_id, app_id, purchase_date
    ) AS begun
) AS placed
WHERE placed.paid_periods > 0;
