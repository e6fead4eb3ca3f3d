-- Subscriptions that had a paid or introductory period, counted by the day on
-- which the first of these began and by how many there were. Counting by number
-- before names are looked up is what lets reports over all periods answer fast.
--
-- Columns:
--   environment       –                attribute 0     as in purchases
--   bundle_id         –                attribute 2     as in purchases
--   first_product_id  –                attribute 1702  product of the first period, trials included
--   first_paid_day    days since 1970  attribute 1704  day on which the first paid or introductory period began
--   paid_periods      periods          –               paid and introductory periods, canceled ones among them
--   is_running        0 or 1           –               1: the period that began last ends after the newest moment of
--                                                   `horizon`
--   subscriptions     subscriptions    –               how many
CREATE VIEW subscription_cohorts AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id AS first_product_id,
    counted.first_paid_day,
    counted.paid_periods,
    counted.is_running,
    counted.subscriptions
FROM (
    SELECT
        app_id,
        product_number,
        first_paid_day,
        paid_periods,
        is_running,
        count(*) AS subscriptions
    FROM (
        SELECT
            summed.app_id,
            (
                SELECT first.product_number FROM purchase AS first
                WHERE first.app_id = summed.app_id
                    AND first.original_transaction_id = summed.original_transaction_id
                    AND first.expires_date > first.purchase_date
                ORDER BY first.purchase_date, first.expires_date, first.transaction_id
                LIMIT 1
            ) AS product_number,
            summed.first_paid_start / 86400000 AS first_paid_day,
            summed.paid_periods,
            CASE WHEN summed.last_end / 1000 > horizon.second THEN 1 ELSE 0 END AS is_running
        FROM (
            SELECT
                begun.app_id,
                begun.original_transaction_id,
                begun.first_paid_start,
                begun.paid_periods,
                -- Of copies one states a cancellation before another does; that one counts.
                (
                    SELECT min(coalesce(last.cancellation_date, last.expires_date)) FROM purchase AS last
                    WHERE last.app_id = begun.app_id
                        AND last.original_transaction_id = begun.original_transaction_id
                        AND last.purchase_date = begun.last_start
                        AND last.expires_date > last.purchase_date
                ) AS last_end
            FROM (
                SELECT
                    app_id,
                    original_transaction_id,
                    min(CASE WHEN coalesce(is_trial_period, 0) = 0 THEN purchase_date END) AS first_paid_start,
                    count(DISTINCT CASE WHEN coalesce(is_trial_period, 0) = 0 THEN purchase_date END)
                        AS paid_periods,
                    max(purchase_date) AS last_start
                FROM purchase
                WHERE expires_date > purchase_date
                    AND original_transaction_id IS NOT NULL
                GROUP BY original_transaction_id, app_id
            ) AS begun
            WHERE begun.first_paid_start IS NOT NULL
        ) AS summed
        CROSS JOIN horizon
    ) AS placed
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 3, 4, 2, 5, 1
) AS counted
JOIN app ON app.app_id = counted.app_id
LEFT JOIN product ON product.product_number = counted.product_number;
