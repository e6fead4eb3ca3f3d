-- One row per trusted notification of version 2.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    coalesce(receipt.environment, '') AS environment,
    notification.notification_uuid AS notification_uuid,
    notification.notification_type AS notification_type,
    notification.subtype AS subtype,
    notification.status AS status,
    notification.consumption_request_reason AS consumption_request_reason
FROM decoded_statements
WHERE receipt.kind = 'notification'
    AND receipt.verdict = 'trusted'
