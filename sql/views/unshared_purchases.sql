-- One row per purchase but for family members' shares, which nobody bought: what
-- subscriptions, trials, refunds and buyers are counted by.
--
-- Columns:
--   app_id                    –                        –               the app's number in this database alone
--   transaction_id            –                        attribute 1703  the transaction, as the loader keeps it
--   original_transaction_id   –                        attribute 1705  the same of the original; null where not stated
--   product_number            –                        attribute 1702  the product's number in this database alone
--   purchase_date             milliseconds since 1970  attribute 1704  as in purchases
--   expires_date              milliseconds since 1970  attribute 1708  as in purchases
--   cancellation_date         milliseconds since 1970  attribute 1712  as in purchases
--   is_trial_period           0 or 1                   attribute 1713  as in purchases
--   is_in_intro_offer_period  0 or 1                   attribute 1719  as in purchases
--   product_type              –                        attribute 1707  as in purchases
--   purchase_number           –                        –               the purchase's number in this database alone
CREATE VIEW unshared_purchases AS
SELECT
    purchase.app_id,
    purchase.transaction_id,
    purchase.original_transaction_id,
    purchase.product_number,
    purchase.purchase_date,
    purchase.expires_date,
    purchase.cancellation_date,
    purchase.is_trial_period,
    purchase.is_in_intro_offer_period,
    purchase.product_type,
    purchase.purchase_id AS purchase_number
FROM purchase
WHERE NOT EXISTS (
    SELECT 1 FROM purchase_terms AS shared
    WHERE shared.transaction_id = purchase.transaction_id
        AND shared.app_id = purchase.app_id
        AND shared.verdict = 'trusted'
        AND shared.ownership = 'FAMILY_SHARED'
);
