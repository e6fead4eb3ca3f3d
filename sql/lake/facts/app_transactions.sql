-- One row per trusted app transaction: what it states beside what receipts do.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    app_transaction.original_platform AS original_platform,
    app_transaction.app_transaction_id AS app_transaction_id
FROM decoded_statements
WHERE receipt.kind = 'app_transaction'
    AND receipt.verdict = 'trusted'
