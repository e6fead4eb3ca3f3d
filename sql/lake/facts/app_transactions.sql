-- One row per trusted app transaction: what it states beyond what receipts state.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    app_transaction.original_platform AS original_platform,
    app_transaction.app_transaction_id AS app_transaction_id,
    app_transaction.store_type AS store_type,
    app_transaction.preorder_date_ms AS preorder_date,
    app_transaction.revocation_date_ms AS revocation_date
FROM decoded_statements
WHERE receipt.kind = 'app_transaction'
    AND receipt.verdict = 'trusted'
