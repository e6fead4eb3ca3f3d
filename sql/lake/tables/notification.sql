SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    environment,
    notification_uuid,
    notification_type,
    subtype,
    status,
    consumption_request_reason
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_notifications
)
WHERE choice = 1
