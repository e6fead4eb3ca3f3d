SELECT DISTINCT
    receipt_key(receipt_sha256) AS receipt_id,
    transaction_key(transaction_id) AS transaction_id
FROM verified_purchases
