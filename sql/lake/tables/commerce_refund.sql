SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    item,
    refund,
    refund_date,
    refund_milliunits,
    refund_type,
    refund_reason,
    seats_revoked
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256, item, refund ORDER BY archive_sha256) AS choice
    FROM loaded_commerce
    WHERE refund IS NOT NULL
)
WHERE choice = 1
