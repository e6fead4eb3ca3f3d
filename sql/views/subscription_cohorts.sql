-- One row per period with which a subscription went on, from its first paid or
-- introductory period: how many of these it had had by then, and until when it is
-- known how it went on. Periods that begin at the same moment are one. The row
-- without next_start_day is where the subscription stands; the others are where it
-- stood on a day of the past. Subscriptions that name no original are left out.
--
-- Columns:
--   environment       –                attribute 0     as in purchases
--   bundle_id         –                attribute 2     as in purchases
--   first_product_id  –                attribute 1702  product of the first period, trials included
--   first_paid_day    days since 1970  attribute 1704  day on which the first paid or introductory period began
--   paid_periods      periods          –               paid and introductory periods begun with this one, canceled ones
--                                                      among them
--   start_day         days since 1970  attribute 1704  day on which this period began
--   end_day           days since 1970  –               day on which it expires or was canceled
--   next_start_day    days since 1970  attribute 1704  day on which the next period began; null where there is none
--   days_known        days             –               whole days from the end until the subscription is known, as in
--                                                      `subscription_horizons`; -1 where nothing made since the end
--                                                      tells of it
--   days_past         days             –               whole days from the end to the app's newest document; -1 where
--                                                      the end is behind that
--   horizon_day       days since 1970  –               day of the app's newest document, as in `app_horizons`
CREATE VIEW subscription_cohorts AS
WITH first_period AS (
    SELECT app_id, original_transaction_id, product_number
    FROM (
        SELECT
            app_id,
            original_transaction_id,
            product_number,
            row_number() OVER (
                PARTITION BY original_transaction_id, app_id
                ORDER BY purchase_date, expires_date, transaction_id
            ) AS place
        FROM unshared_purchases
        WHERE original_transaction_id IS NOT NULL
            AND product_number IS NOT NULL
            AND expires_date > purchase_date
    ) AS placed
    WHERE place = 1
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id AS first_product_id,
    (placed.first_paid_start + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    placed.paid_periods,
    (placed.start_ms + (SELECT ms FROM zone_offset)) / 86400000 AS start_day,
    (placed.end_ms + (SELECT ms FROM zone_offset)) / 86400000 AS end_day,
    (placed.next_start + (SELECT ms FROM zone_offset)) / 86400000 AS next_start_day,
    CASE
        WHEN known.known_until_ms / 1000 >= placed.end_ms / 1000
            THEN (known.known_until_ms / 1000 - placed.end_ms / 1000) / 86400
        ELSE -1
    END AS days_known,
    CASE
        WHEN seen.second >= placed.end_ms / 1000 THEN (seen.second - placed.end_ms / 1000) / 86400
        ELSE -1
    END AS days_past,
    seen.day_number AS horizon_day
FROM (
    SELECT
        app_id,
        original_transaction_id,
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
            -- Of copies one states a cancellation before another does; that one counts.
            min(coalesce(cancellation_date, expires_date)) AS end_ms,
            max(CASE WHEN coalesce(is_trial_period, 0) = 0 THEN 1 ELSE 0 END) AS is_paid
        FROM unshared_purchases
        WHERE expires_date > purchase_date
            AND original_transaction_id IS NOT NULL
        GROUP BY original_transaction_id, app_id, purchase_date
    ) AS begun
) AS placed
JOIN app ON app.app_id = placed.app_id
JOIN app_horizons AS seen ON seen.app_number = placed.app_id
CROSS JOIN subscription_horizons AS known
    ON known.original_number = placed.original_transaction_id
    AND known.app_number = placed.app_id
LEFT JOIN first_period
    ON first_period.original_transaction_id = placed.original_transaction_id
    AND first_period.app_id = placed.app_id
LEFT JOIN product ON product.product_number = first_period.product_number
WHERE placed.paid_periods > 0;
