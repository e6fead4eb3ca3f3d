SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    environment,
    transaction_key(original_transaction_id) AS original_transaction_id,
    number_key(product_id) AS product_number,
    user_locale,
    request_identifier
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_realtime_requests
)
WHERE choice = 1
