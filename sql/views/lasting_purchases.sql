-- The purchases that give a right for longer than a moment, by number: all but consumables, and but what expires before
-- it begins. A purchase of unknown type counts as a subscription where it expires.
--
-- Columns:
--   purchase_number     –                        –               the purchase's number in this database alone
--   app_number          –                        –               the app's number in this database alone
--   transaction_number  –                        attribute 1703  the transaction, as the loader keeps it
--   original_number     –                        attribute 1705  the subscription, or the purchase and its copies: the
--                                                                original transaction, as the loader keeps it; of a
--                                                                family member's share that is no subscription its own,
--                                                                since it is no copy
--   product_number      –                        attribute 1702  the product's number in this database alone
--   is_subscription     0 or 1                   –               1: a subscription
--   is_family           0 or 1                   –               1: a family member's share
--   is_later            0 or 1                   –               1: not the original
--   start_ms            milliseconds since 1970  attribute 1704  when it was bought, or the period began
--   expiry_ms           milliseconds since 1970  attribute 1708  its expiration
--   cancellation_ms     milliseconds since 1970  attribute 1712  its cancellation
--   ownership           –                        –               as in purchases
--   is_upgraded         0 or 1                   –               as in purchases
--   transaction_id      –                        attribute 1703  the transaction
--   starts              time                     attribute 1704  start_ms as text; null before 1970
CREATE VIEW lasting_purchases AS
SELECT
    purchase.purchase_id AS purchase_number,
    purchase.app_id AS app_number,
    purchase.transaction_id AS transaction_number,
    CASE
        WHEN terms.ownership = 'FAMILY_SHARED' AND purchase.expires_date IS NULL THEN purchase.transaction_id
        ELSE coalesce(purchase.original_transaction_id, purchase.transaction_id)
    END AS original_number,
    purchase.product_number,
    CASE
        WHEN purchase.product_type IN (0, 2) THEN 0
        WHEN purchase.product_type = 3 OR purchase.expires_date IS NOT NULL THEN 1
        ELSE 0
    END AS is_subscription,
    CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family,
    CASE WHEN purchase.transaction_id <> purchase.original_transaction_id THEN 1 ELSE 0 END AS is_later,
    purchase.purchase_date AS start_ms,
    purchase.expires_date AS expiry_ms,
    purchase.cancellation_date AS cancellation_ms,
    terms.ownership,
    terms.is_upgraded,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN purchase.purchase_date >= 0 THEN purchase.purchase_date END / 1000, 'unixepoch') AS starts
FROM purchase
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
    AND terms.verdict = 'trusted'
WHERE (coalesce(purchase.product_type, -1) <> 1 OR purchase.expires_date IS NOT NULL)
    AND (purchase.expires_date IS NULL OR purchase.expires_date > purchase.purchase_date)
    -- A subscription's period is known by its begin.
    AND (
        purchase.purchase_date IS NOT NULL
        OR coalesce(purchase.product_type, -1) IN (0, 2)
        OR (coalesce(purchase.product_type, -1) <> 3 AND purchase.expires_date IS NULL)
    );
