-- One row per paid, trial or introductory period of a subscription: every
-- transaction that expires. A subscription is known by its original transaction.
--
-- Columns:
--   environment               –       attribute 0     as in purchases
--   bundle_id                 –       attribute 2     as in purchases
--   subscription_id           –       attribute 1705  the original transaction identifier; the transaction's own where
--                                                     there is none
--   transaction_id            –       attribute 1703  the period's transaction
--   product_id                –       attribute 1702  the product
--   starts                    time    attribute 1704  its purchase date
--   expires                   time    attribute 1708  its expiration date
--   canceled                  time    attribute 1712  its cancellation date
--   is_trial_period           0 or 1  attribute 1713  as in purchases
--   is_in_intro_offer_period  0 or 1  attribute 1719  as in purchases
CREATE VIEW subscription_periods AS
SELECT
    environment,
    bundle_id,
    coalesce(original_transaction_id, transaction_id) AS subscription_id,
    transaction_id,
    product_id,
    purchase_date AS starts,
    expires_date AS expires,
    cancellation_date AS canceled,
    is_trial_period,
    is_in_intro_offer_period
FROM purchases
WHERE expires_date IS NOT NULL;
