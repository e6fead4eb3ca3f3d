-- One row per signed transaction: what it states beside what receipts do, with what
-- the merge rule asks of it.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    receipt.verdict AS verdict,
    coalesce(receipt.environment, '') AS environment,
    coalesce(receipt.bundle_id, '') AS bundle_id,
    purchase.transaction_id AS transaction_id,
    coalesce(receipt.receipt_creation_date_ms, 0) AS signed_at,
    terms.price_milliunits AS price_milliunits,
    terms.currency AS currency,
    terms.storefront AS storefront,
    terms.ownership AS ownership,
    terms.offer_type AS offer_type,
    terms.offer_id AS offer_id,
    terms.offer_discount_type AS offer_discount_type,
    terms.offer_period AS offer_period,
    terms.transaction_reason AS transaction_reason,
    terms.subscription_group_id AS subscription_group_id,
    terms.app_account_token AS app_account_token,
    terms.app_transaction_id AS app_transaction_id,
    terms.is_upgraded AS is_upgraded,
    terms.revocation_date_ms AS revocation_date,
    terms.revocation_reason AS revocation_reason,
    terms.revocation_type AS revocation_type,
    terms.revoked_share AS revoked_share
FROM decoded_purchases
WHERE receipt.kind = 'signed_transaction'
