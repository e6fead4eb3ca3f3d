SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    environment,
    transaction_key(original_transaction_id) AS original_transaction_id,
    signed_at,
    number_key(product_id) AS product_number,
    number_key(auto_renew_product_id) AS auto_renew_product_number,
    auto_renew_status,
    expiration_intent,
    is_in_billing_retry,
    grace_period_expires_date,
    renewal_date,
    renewal_price_milliunits,
    currency,
    offer_type,
    offer_id,
    price_increase_status,
    recent_subscription_start_date,
    app_account_token,
    app_transaction_id,
    offer_discount_type,
    offer_period,
    eligible_win_back_offer_ids,
    billing_plan,
    commitment_auto_renew_status,
    number_key(commitment_product_id) AS commitment_product_number,
    commitment_renewal_date,
    commitment_renewal_price_milliunits,
    commitment_billing_plan,
    renewal_quantity,
    renewal_amount_milliunits,
    renewal_price_tiers
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_renewals
)
WHERE choice = 1
