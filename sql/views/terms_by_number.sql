-- The periods of subscription_terms by number: what is worked out of the purchases, without names and text.
--
-- Columns:
--   app_number                –                        –               the app's number in this database alone
--   original_number           –                        –               the original transaction, as the loader keeps it
--   transaction_number        –                        –               the period's transaction, as the loader keeps it
--   product_number            –                        –               the product's number in this database alone
--   next_product_number       –                        –               the same of the next period's product
--   is_trial_period           0 or 1                   attribute 1713  as in purchases
--   is_in_intro_offer_period  0 or 1                   attribute 1719  as in purchases
--   start_second              seconds since 1970       attribute 1704  its begin
--   expiry_second             seconds since 1970       attribute 1708  its expiration
--   cancellation_second       seconds since 1970       attribute 1712  its cancellation
--   next_start_second         seconds since 1970       attribute 1704  begin of the next period; null where there is none
--   is_upgraded               0 or 1                   –               as in subscription_terms
CREATE VIEW terms_by_number AS
WITH placed AS (
    SELECT
        app_id,
        original_transaction_id,
        transaction_id,
        product_number,
        purchase_date,
        expires_date,
        cancellation_date,
        is_trial_period,
        is_in_intro_offer_period,
        lead(purchase_date) OVER same_subscription AS next_start,
        lead(product_number) OVER same_subscription AS next_product_number
    FROM unshared_purchases AS term
    WHERE original_transaction_id IS NOT NULL
        AND expires_date > purchase_date
        AND NOT EXISTS (
            SELECT 1 FROM unshared_purchases AS copy
            WHERE copy.original_transaction_id = term.original_transaction_id
                AND copy.app_id = term.app_id
                AND copy.purchase_date = term.purchase_date
                AND copy.expires_date = term.expires_date
                AND copy.transaction_id <> term.transaction_id
                -- Of copies one states a refund before another does; that one counts.
                AND (copy.cancellation_date IS NULL, copy.transaction_id)
                    < (term.cancellation_date IS NULL, term.transaction_id)
        )
    WINDOW same_subscription AS (
        PARTITION BY original_transaction_id, app_id
        ORDER BY purchase_date, expires_date
    )
    UNION ALL
    -- One that states no original is its own, and no other's copy or next.
    SELECT
        app_id,
        transaction_id,
        transaction_id,
        product_number,
        purchase_date,
        expires_date,
        cancellation_date,
        is_trial_period,
        is_in_intro_offer_period,
        next_start,
        next_product_number
    FROM (
        SELECT
            alone.*,
            later.purchase_date AS next_start,
            later.product_number AS next_product_number,
            row_number() OVER (
                PARTITION BY alone.transaction_id, alone.app_id
                ORDER BY later.purchase_date, later.expires_date, later.transaction_id
            ) AS place
        FROM unshared_purchases AS alone
        LEFT JOIN unshared_purchases AS later
            ON later.original_transaction_id = alone.transaction_id
            AND later.app_id = alone.app_id
            AND later.expires_date > later.purchase_date
            AND (later.purchase_date, later.expires_date) > (alone.purchase_date, alone.expires_date)
        WHERE alone.original_transaction_id IS NULL
            AND alone.expires_date > alone.purchase_date
    ) AS followed
    WHERE place = 1
),

upgraded AS (
    SELECT canceled.app_id, canceled.transaction_id
    FROM unshared_purchases AS canceled
    WHERE canceled.cancellation_date IS NOT NULL
        AND canceled.expires_date > canceled.purchase_date
        AND EXISTS (
            SELECT 1 FROM unshared_purchases AS upgrade
            WHERE upgrade.original_transaction_id
                    = coalesce(canceled.original_transaction_id, canceled.transaction_id)
                AND upgrade.app_id = canceled.app_id
                AND upgrade.product_number <> canceled.product_number
                AND upgrade.purchase_date BETWEEN canceled.cancellation_date - 60000
                    AND canceled.cancellation_date + 60000
        )
)

SELECT
    placed.app_id AS app_number,
    placed.original_transaction_id AS original_number,
    placed.transaction_id AS transaction_number,
    placed.product_number,
    placed.next_product_number,
    placed.is_trial_period,
    placed.is_in_intro_offer_period,
    placed.purchase_date / 1000 AS start_second,
    placed.expires_date / 1000 AS expiry_second,
    placed.cancellation_date / 1000 AS cancellation_second,
    placed.next_start / 1000 AS next_start_second,
    CASE
        WHEN placed.cancellation_date IS NOT NULL THEN CASE WHEN upgraded.transaction_id IS NULL THEN 0 ELSE 1 END
        WHEN placed.next_start < placed.expires_date AND placed.next_product_number <> placed.product_number THEN 1
        ELSE 0
    END AS is_upgraded
FROM placed
LEFT JOIN upgraded
    ON upgraded.transaction_id = placed.transaction_id
    AND upgraded.app_id = placed.app_id;
