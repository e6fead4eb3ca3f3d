SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    revocation_date,
    revocation_reason,
    revocation_type,
    revoked_share
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_terms
    WHERE revocation_date IS NOT NULL
)
WHERE choice = 1
