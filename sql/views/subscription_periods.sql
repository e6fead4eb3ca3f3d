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
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(coalesce(stated.original_transaction_id, stated.transaction_id) AS TEXT) AS subscription_id,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.purchase_date >= 0 THEN stated.purchase_date END / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.expires_date >= 0 THEN stated.expires_date END / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.cancellation_date >= 0 THEN stated.cancellation_date END / 1000, 'unixepoch') AS canceled,
    stated.is_trial_period,
    stated.is_in_intro_offer_period
FROM purchase AS stated
JOIN app ON app.app_id = stated.app_id
LEFT JOIN product ON product.product_number = stated.product_number
WHERE stated.expires_date >= 0;
