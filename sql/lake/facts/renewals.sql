-- One row per trusted renewal info.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    coalesce(receipt.environment, '') AS environment,
    renewal.original_transaction_id AS original_transaction_id,
    receipt.receipt_creation_date_ms AS signed_at,
    renewal.product_id AS product_id,
    renewal.auto_renew_product_id AS auto_renew_product_id,
    renewal.auto_renew_status AS auto_renew_status,
    renewal.expiration_intent AS expiration_intent,
    renewal.is_in_billing_retry AS is_in_billing_retry,
    renewal.grace_period_expires_date_ms AS grace_period_expires_date,
    renewal.renewal_date_ms AS renewal_date,
    renewal.renewal_price_milliunits AS renewal_price_milliunits,
    renewal.currency AS currency,
    renewal.offer_type AS offer_type,
    renewal.offer_id AS offer_id,
    renewal.price_increase_status AS price_increase_status,
    renewal.recent_subscription_start_date_ms AS recent_subscription_start_date,
    renewal.app_account_token AS app_account_token,
    renewal.app_transaction_id AS app_transaction_id
FROM decoded_statements
WHERE receipt.kind = 'signed_renewal'
    AND receipt.verdict = 'trusted'
