-- The periods of subscription_terms by number: what is worked out of the purchases, without names and text.
--
-- Columns:
--   app_number                –                        –               the app's number in this database alone
--   original_number           –                        –               the original transaction, as the loader keeps it
--   purchase_number           –                        –               the number of the period's transaction in this database
--                                                                      alone
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
        term.app_id,
        term.original_transaction_id,
        term.purchase_number,
        term.product_number,
        term.purchase_date,
        term.expires_date,
        term.cancellation_date,
        term.is_trial_period,
        term.is_in_intro_offer_period,
        marks.is_upgraded,
        lead(term.purchase_date) OVER same_subscription AS next_start,
        lead(term.product_number) OVER same_subscription AS next_product_number
    FROM unshared_purchases AS term
    LEFT JOIN purchase_marks AS marks ON marks.purchase_number = term.purchase_number
    WHERE term.original_transaction_id IS NOT NULL
        AND term.expires_date > term.purchase_date
        AND coalesce(marks.is_restored, 0) = 0
    -- The order of an index, so that nothing is sorted.
    WINDOW same_subscription AS (
        PARTITION BY term.original_transaction_id, term.app_id
        ORDER BY term.purchase_date, term.expires_date
    )
    UNION ALL
    -- One that states no original is its own, and no other's next.
    SELECT
        app_id,
        transaction_id,
        purchase_number,
        product_number,
        purchase_date,
        expires_date,
        cancellation_date,
        is_trial_period,
        is_in_intro_offer_period,
        is_upgraded,
        next_start,
        next_product_number
    FROM (
        SELECT
            alone.*,
            marks.is_upgraded,
            later.purchase_date AS next_start,
            later.product_number AS next_product_number,
            row_number() OVER (
                PARTITION BY alone.transaction_id, alone.app_id
                ORDER BY later.purchase_date, later.expires_date, later.transaction_id
            ) AS place
        FROM unshared_purchases AS alone
        LEFT JOIN purchase_marks AS marks ON marks.purchase_number = alone.purchase_number
        LEFT JOIN unshared_purchases AS later
            ON later.original_transaction_id = alone.transaction_id
            AND later.app_id = alone.app_id
            AND later.expires_date > later.purchase_date
            AND (later.purchase_date, later.expires_date) > (alone.purchase_date, alone.expires_date)
        WHERE alone.original_transaction_id IS NULL
            AND alone.expires_date > alone.purchase_date
    ) AS followed
    WHERE place = 1
)

SELECT
    app_id AS app_number,
    original_transaction_id AS original_number,
    purchase_number,
    product_number,
    next_product_number,
    is_trial_period,
    is_in_intro_offer_period,
    purchase_date / 1000 AS start_second,
    expires_date / 1000 AS expiry_second,
    cancellation_date / 1000 AS cancellation_second,
    next_start / 1000 AS next_start_second,
    CASE
        WHEN cancellation_date IS NOT NULL THEN coalesce(is_upgraded, 0)
        WHEN next_start < expires_date AND next_product_number <> product_number THEN 1
        ELSE 0
    END AS is_upgraded
FROM placed;
