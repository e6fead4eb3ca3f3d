SELECT
    receipt_key(receipt_sha256) AS receipt_id,
    item,
    sku,
    display_name,
    description,
    price_milliunits,
    revoked_date,
    offer_period,
    offer_period_count,
    offer_price_milliunits,
    offer_reason,
    price_increase_milliunits,
    price_increase_status,
    dependent_skus,
    partners,
    seat_price_tiers
FROM (
    SELECT
        *,
        row_number() OVER (PARTITION BY receipt_sha256, item ORDER BY archive_sha256) AS choice
    FROM loaded_commerce
    WHERE item IS NOT NULL
)
WHERE choice = 1
