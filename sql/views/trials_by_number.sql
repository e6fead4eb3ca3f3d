-- The subscriptions that had a free trial, by number: what subscriptions tells of trials, without names.
--
-- Columns:
--   app_number            –                   –               the app's number in this database alone
--   original_number       –                   –               the original transaction, as the loader keeps it
--   first_product_number  –                   –               number of the first period's product in this database alone
--   trial_start_day       days since 1970     attribute 1704  as in subscriptions
--   trial_end_second      seconds since 1970  –               as in subscriptions
--   converted_day         days since 1970     –               as in subscriptions
--   is_trial_upgraded     0 or 1              –               as in subscriptions
--   known_until_second    seconds since 1970  –               as in subscriptions
CREATE VIEW trials_by_number AS
-- Trials, each with all periods of its subscription, in the order of an index, so that nothing is sorted.
WITH tried AS (
    SELECT
        trial.app_id,
        trial.original_transaction_id,
        min(trial.purchase_date) AS trial_start,
        max(min(trial.expires_date, coalesce(trial.cancellation_date, trial.expires_date))) AS trial_end,
        max(trial.expires_date) AS trial_expiry,
        min(
            CASE
                WHEN coalesce(period.is_trial_period, 0) = 0 AND period.purchase_date > trial.purchase_date
                    THEN period.purchase_date
            END
        ) AS converted_start,
        min(period.product_number) AS least_product,
        max(period.product_number) AS greatest_product
    FROM unshared_purchases AS trial
    CROSS JOIN unshared_purchases AS period
        ON period.original_transaction_id = trial.original_transaction_id
        AND period.app_id = trial.app_id
        AND period.expires_date > period.purchase_date
    WHERE trial.is_trial_period = 1
        AND trial.original_transaction_id IS NOT NULL
        AND trial.expires_date > trial.purchase_date
    GROUP BY trial.original_transaction_id, trial.app_id
),

-- Few had several products.
mixed AS (
    SELECT * FROM tried
    WHERE least_product <> greatest_product
),

upgraded AS (
    SELECT DISTINCT mixed.app_id, mixed.original_transaction_id
    FROM mixed
    CROSS JOIN unshared_purchases AS paid
        ON paid.original_transaction_id = mixed.original_transaction_id
        AND paid.app_id = mixed.app_id
        AND paid.purchase_date = mixed.converted_start
        AND paid.expires_date > paid.purchase_date
    CROSS JOIN unshared_purchases AS trial
        ON trial.original_transaction_id = paid.original_transaction_id
        AND trial.app_id = paid.app_id
        AND trial.is_trial_period = 1
        AND trial.product_number <> paid.product_number
        AND trial.purchase_date < paid.purchase_date
        AND trial.expires_date > paid.purchase_date
    WHERE mixed.converted_start < mixed.trial_expiry
),

begun AS (
    SELECT app_id, original_transaction_id, product_number
    FROM (
        SELECT
            mixed.app_id,
            mixed.original_transaction_id,
            period.product_number,
            row_number() OVER (
                PARTITION BY mixed.original_transaction_id, mixed.app_id
                ORDER BY period.purchase_date, period.expires_date, period.transaction_id
            ) AS place
        FROM mixed
        CROSS JOIN unshared_purchases AS period
            ON period.original_transaction_id = mixed.original_transaction_id
            AND period.app_id = mixed.app_id
        WHERE period.product_number IS NOT NULL
            AND period.expires_date > period.purchase_date
    ) AS placed
    WHERE place = 1
)

SELECT
    tried.app_id AS app_number,
    tried.original_transaction_id AS original_number,
    coalesce(begun.product_number, tried.least_product) AS first_product_number,
    (tried.trial_start + (SELECT ms FROM zone_offset)) / 86400000 AS trial_start_day,
    tried.trial_end / 1000 AS trial_end_second,
    (tried.converted_start + (SELECT ms FROM zone_offset)) / 86400000 AS converted_day,
    CASE WHEN upgraded.app_id IS NULL THEN 0 ELSE 1 END AS is_trial_upgraded,
    known.known_until_ms / 1000 AS known_until_second
FROM tried
CROSS JOIN subscription_horizons AS known
    ON known.original_number = tried.original_transaction_id
    AND known.app_number = tried.app_id
LEFT JOIN begun
    ON begun.original_transaction_id = tried.original_transaction_id
    AND begun.app_id = tried.app_id
LEFT JOIN upgraded
    ON upgraded.original_transaction_id = tried.original_transaction_id
    AND upgraded.app_id = tried.app_id;
