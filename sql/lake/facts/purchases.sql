-- One row per receipt and purchase in it, as the receipt states it. If several receipts state a purchase, verdict,
-- as_of, receipt_sha256 and place decide which of them counts. as_of is the time when the receipt was created; a
-- transaction receipt states no such time, so its as_of is the purchase date.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS receipt_sha256,
    receipt.kind AS kind,
    receipt.verdict AS verdict,
    coalesce(receipt.environment, '') AS environment,
    coalesce(receipt.bundle_id, '') AS bundle_id,
    coalesce(
        CASE
            WHEN receipt.kind = 'transaction_receipt' THEN purchase.purchase_date_ms
            ELSE receipt.receipt_creation_date_ms
        END,
        0
    ) AS as_of,
    place,
    purchase.transaction_id AS transaction_id,
    purchase.original_transaction_id AS original_transaction_id,
    purchase.product_id AS product_id,
    purchase.quantity AS quantity,
    purchase.product_type AS product_type,
    purchase.purchase_date_ms AS purchase_date,
    purchase.original_purchase_date_ms AS original_purchase_date,
    purchase.expires_date_ms AS expires_date,
    purchase.cancellation_date_ms AS cancellation_date,
    purchase.web_order_line_item_id AS web_order_line_item_id,
    purchase.is_trial_period AS is_trial_period,
    purchase.is_in_intro_offer_period AS is_in_intro_offer_period,
    purchase.promotional_offer_id AS promotional_offer_id
FROM decoded_purchases
