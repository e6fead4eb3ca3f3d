-- One row per trusted request for a retention message.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    coalesce(receipt.environment, '') AS environment,
    realtime_request.original_transaction_id AS original_transaction_id,
    realtime_request.product_id AS product_id,
    realtime_request.user_locale AS user_locale,
    realtime_request.request_identifier AS request_identifier
FROM decoded_statements
WHERE receipt.kind = 'realtime_request'
    AND receipt.verdict = 'trusted'
