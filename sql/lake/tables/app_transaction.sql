SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    original_platform,
    app_transaction_id,
    store_type,
    preorder_date,
    revocation_date
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_app_transactions
)
WHERE choice = 1
