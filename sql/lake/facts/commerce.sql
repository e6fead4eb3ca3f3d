-- Sales by the Advanced Commerce API in trusted documents: one row per refund of an item, per item without a refund,
-- and per sale without an item. A row has the columns of its sale and item, too, and the positions of item and refund
-- in the document, from 1.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    commerce.commerce_period AS commerce_period,
    commerce.request_reference_id AS request_reference_id,
    commerce.consistency_token AS consistency_token,
    commerce.tax_code AS tax_code,
    commerce.tax_rate AS tax_rate,
    commerce.tax_exclusive_price_milliunits AS tax_exclusive_price_milliunits,
    commerce.estimated_tax_milliunits AS estimated_tax_milliunits,
    commerce.display_name AS sale_name,
    commerce.description AS sale_description,
    item_place AS item,
    stated_item.sku AS sku,
    stated_item.display_name AS display_name,
    stated_item.description AS description,
    stated_item.price_milliunits AS price_milliunits,
    stated_item.revoked_date_ms AS revoked_date,
    stated_item.offer_period AS offer_period,
    stated_item.offer_period_count AS offer_period_count,
    stated_item.offer_price_milliunits AS offer_price_milliunits,
    stated_item.offer_reason AS offer_reason,
    stated_item.price_increase_milliunits AS price_increase_milliunits,
    stated_item.price_increase_status AS price_increase_status,
    stated_item.dependent_skus AS dependent_skus,
    stated_item.partners AS partners,
    stated_item.seat_price_tiers AS seat_price_tiers,
    refund_place AS refund,
    stated_refund.refund_date_ms AS refund_date,
    stated_refund.refund_milliunits AS refund_milliunits,
    stated_refund.refund_type AS refund_type,
    stated_refund.refund_reason AS refund_reason,
    stated_refund.seats_revoked AS seats_revoked
FROM decoded_refunds
WHERE receipt.verdict = 'trusted'
    -- A renewal info without a date cannot be ordered among others, and is left out.
    AND (receipt.kind = 'signed_transaction' OR receipt.receipt_creation_date_ms IS NOT NULL)
