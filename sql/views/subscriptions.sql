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
        min(CASE WHEN is_trial_period = 1 THEN purchase_date END) AS trial_start,
        max(CASE WHEN is_trial_period = 1 THEN min(expires_date, coalesce(cancellation_date, expires_date)) END)
            AS trial_end,
        min(CASE WHEN coalesce(is_trial_period, 0) = 0 THEN purchase_date END) AS first_paid_start,
        max(CASE WHEN coalesce(is_trial_period, 0) = 0 THEN purchase_date END) AS last_paid_start,
        max(CASE WHEN is_trial_period = 1 THEN expires_date END) AS trial_expiry,
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

-- One that was paid for before its trial.
converted_later AS (
    SELECT told.app_id, told.original_transaction_id, min(paid.purchase_date) AS start_ms
    FROM told
    CROSS JOIN unshared_purchases AS paid
        ON paid.original_transaction_id = told.original_transaction_id
        AND paid.app_id = told.app_id
        AND paid.purchase_date > told.trial_start
        AND paid.expires_date > paid.purchase_date
    WHERE told.first_paid_start <= told.trial_start
        AND told.last_paid_start > told.trial_start
        AND coalesce(paid.is_trial_period, 0) = 0
    GROUP BY told.original_transaction_id, told.app_id
),

summed AS (
    SELECT
        told.*,
        CASE
            WHEN told.first_paid_start > told.trial_start THEN told.first_paid_start
            ELSE converted_later.start_ms
        END AS converted_start
    FROM told
    LEFT JOIN converted_later
        ON converted_later.original_transaction_id = told.original_transaction_id
        AND converted_later.app_id = told.app_id
),

trial_upgraded AS (
    SELECT DISTINCT summed.app_id, summed.original_transaction_id
    FROM summed
    CROSS JOIN unshared_purchases AS paid
        ON paid.original_transaction_id = summed.original_transaction_id
        AND paid.app_id = summed.app_id
        AND paid.purchase_date = summed.converted_start
        AND paid.expires_date > paid.purchase_date
    CROSS JOIN unshared_purchases AS tried
        ON tried.original_transaction_id = paid.original_transaction_id
        AND tried.app_id = paid.app_id
        AND tried.is_trial_period = 1
        AND tried.product_number <> paid.product_number
        AND tried.purchase_date < paid.purchase_date
        AND tried.expires_date > paid.purchase_date
    WHERE summed.converted_start < summed.trial_expiry
        AND summed.least_product <> summed.greatest_product
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
    CAST(summed.original_transaction_id AS TEXT) AS subscription_id,
    product.product_id AS first_product_id,
    (summed.first_start + (SELECT ms FROM zone_offset)) / 86400000 AS first_start_day,
    (summed.trial_start + (SELECT ms FROM zone_offset)) / 86400000 AS trial_start_day,
    summed.trial_end / 1000 AS trial_end_second,
    (summed.first_paid_start + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    summed.has_trial,
    CASE WHEN summed.converted_start IS NULL THEN 0 ELSE 1 END AS is_converted,
    summed.paid_periods,
    summed.last_expiry / 1000 AS last_expiry_second,
    (summed.converted_start + (SELECT ms FROM zone_offset)) / 86400000 AS converted_day,
    CASE WHEN trial_upgraded.app_id IS NULL THEN 0 ELSE 1 END AS is_trial_upgraded,
    known.known_until_ms / 1000 AS known_until_second,
    summed.app_id AS app_number
FROM summed
CROSS JOIN subscription_horizons AS known
    ON known.original_number = summed.original_transaction_id
    AND known.app_number = summed.app_id
LEFT JOIN begun
    ON begun.original_transaction_id = summed.original_transaction_id
    AND begun.app_id = summed.app_id
JOIN app ON app.app_id = summed.app_id
LEFT JOIN trial_upgraded
    ON trial_upgraded.original_transaction_id = summed.original_transaction_id
    AND trial_upgraded.app_id = summed.app_id
LEFT JOIN product ON product.product_number = coalesce(begun.product_number, summed.least_product);
