-- One row per paid, trial or introductory period of a subscription: every
-- transaction that expires. A subscription is known by its original transaction.
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
