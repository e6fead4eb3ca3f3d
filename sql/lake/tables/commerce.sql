SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    commerce_period,
    request_reference_id,
    consistency_token,
    tax_code,
    tax_rate,
    tax_exclusive_price_milliunits,
    estimated_tax_milliunits,
    sale_name AS display_name,
    sale_description AS description
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256 ORDER BY archive_sha256) AS choice
    FROM loaded_commerce
)
WHERE choice = 1
