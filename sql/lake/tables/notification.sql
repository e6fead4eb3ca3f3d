SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    environment,
    notification_uuid,
    notification_type,
    subtype,
    status,
    consumption_request_reason,
    version,
    bundle_version,
    number_key(summary_product_id) AS summary_product_number,
    request_identifier,
    storefront_country_codes,
    succeeded_count,
    failed_count,
    external_purchase_id,
    token_creation_date,
    token_type,
    token_expiration_date,
    unclaim_seat_ids
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_notifications
)
WHERE choice = 1
