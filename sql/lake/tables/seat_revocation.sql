SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    seats_revoked
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_terms
    WHERE verdict = 'trusted'
        AND seats_revoked IS NOT NULL
)
WHERE choice = 1
