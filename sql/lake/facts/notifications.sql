-- One row per trusted notification of version 2.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    coalesce(receipt.environment, '') AS environment,
    notification.notification_uuid AS notification_uuid,
    notification.notification_type AS notification_type,
    notification.subtype AS subtype,
    notification.status AS status,
    notification.consumption_request_reason AS consumption_request_reason,
    notification.version AS version,
    notification.bundle_version AS bundle_version,
    notification.summary_product_id AS summary_product_id,
    notification.request_identifier AS request_identifier,
    notification.storefront_country_codes AS storefront_country_codes,
    notification.succeeded_count AS succeeded_count,
    notification.failed_count AS failed_count,
    notification.external_purchase_id AS external_purchase_id,
    notification.token_creation_date_ms AS token_creation_date,
    notification.token_type AS token_type,
    notification.token_expiration_date_ms AS token_expiration_date,
    notification.unclaim_seat_ids AS unclaim_seat_ids
FROM decoded_statements
WHERE receipt.kind = 'notification'
    AND receipt.verdict = 'trusted'
