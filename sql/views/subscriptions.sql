-- One row per subscription, summed up over its periods; periods that restores
-- copied count once, those that expire before they begin can't be placed and don't count.
--
-- Columns:
--   environment          –                   attribute 0     as in purchases
--   bundle_id            –                   attribute 2     as in purchases
--   subscription_id      –                   attribute 1705  the original transaction
--   first_product_id     –                   attribute 1702  product of the first period
--   first_start_day      days since 1970     –               day on which the first period began
--   trial_start_day      days since 1970     –               day on which the first free trial began
--   trial_end_second     seconds since 1970  –               moment at which the last free trial expires or is canceled
--   first_paid_day       days since 1970     –               day on which the first paid or introductory period began
--   has_trial            0 or 1              attribute 1713  1: it had a free trial
--   is_converted         0 or 1              –               1: a paid or introductory period began after the first free
--                                                            trial did
--   paid_periods         periods             –               paid and introductory periods, canceled ones among them
--   last_expiry_second   seconds since 1970  –               moment at which the last period expires
--   converted_day        days since 1970     –               day on which the first paid or introductory period after the
--                                                            first free trial began; null where there is none
--   is_trial_upgraded    0 or 1              –               1: that period is of another product than the free trial, and
--                                                            began before it expired
--   known_until_second   seconds since 1970  –               until when it is known, as in subscription_horizons
--   app_number           –                   –               the app's number in this database alone, to count by
CREATE VIEW subscriptions AS
WITH told AS (
    SELECT
        app_id,
        original_transaction_id,
        min(purchase_date) AS first_start,
        min(CASE WHEN coalesce(is_trial_period, 0) = 0 THEN purchase_date END) AS first_paid_start,
        max(coalesce(is_trial_period, 0)) AS has_trial,
        count(DISTINCT CASE WHEN coalesce(is_trial_period, 0) = 0 THEN purchase_date END) AS paid_periods,
        max(expires_date) AS last_expiry,
        min(product_number) AS least_product,
        max(product_number) AS greatest_product
    FROM unshared_purchases
    WHERE original_transaction_id IS NOT NULL
        AND expires_date > purchase_date
    GROUP BY original_transaction_id, app_id
),

-- Few had several products.
begun AS (
    SELECT app_id, original_transaction_id, product_number
    FROM (
        SELECT
            told.app_id,
            told.original_transaction_id,
            period.product_number,
            row_number() OVER (
                PARTITION BY told.original_transaction_id, told.app_id
                ORDER BY period.purchase_date, period.expires_date, period.transaction_id
            ) AS place
        FROM told
        CROSS JOIN unshared_purchases AS period
            ON period.original_transaction_id = told.original_transaction_id
            AND period.app_id = told.app_id
        WHERE told.least_product <> told.greatest_product
            AND period.product_number IS NOT NULL
            AND period.expires_date > period.purchase_date
    ) AS placed
    WHERE place = 1
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(told.original_transaction_id AS TEXT) AS subscription_id,
    product.product_id AS first_product_id,
    (told.first_start + (SELECT ms FROM zone_offset)) / 86400000 AS first_start_day,
    trial.trial_start_day,
    trial.trial_end_second,
    (told.first_paid_start + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    told.has_trial,
    CASE WHEN trial.converted_day IS NULL THEN 0 ELSE 1 END AS is_converted,
    told.paid_periods,
    told.last_expiry / 1000 AS last_expiry_second,
    trial.converted_day,
    coalesce(trial.is_trial_upgraded, 0) AS is_trial_upgraded,
    known.known_until_ms / 1000 AS known_until_second,
    told.app_id AS app_number
FROM told
CROSS JOIN subscription_horizons AS known
    ON known.original_number = told.original_transaction_id
    AND known.app_number = told.app_id
LEFT JOIN begun
    ON begun.original_transaction_id = told.original_transaction_id
    AND begun.app_id = told.app_id
JOIN app ON app.app_id = told.app_id
LEFT JOIN trials_by_number AS trial
    ON trial.original_number = told.original_transaction_id
    AND trial.app_number = told.app_id
LEFT JOIN product ON product.product_number = coalesce(begun.product_number, told.least_product);
