-- The merge rule: of the trusted receipts that state a purchase, the one created last counts, for all columns; if
-- several, the one with the highest SHA-256. If a receipt states a purchase twice, the first statement counts.
SELECT
    row_key(app_name(environment, bundle_id) || ' ' || transaction_id) AS purchase_id,
    app_key(environment, bundle_id) AS app_id,
    transaction_key(transaction_id) AS transaction_id,
    transaction_key(original_transaction_id) AS original_transaction_id,
    number_key(product_id) AS product_number,
    quantity,
    product_type,
    purchase_date,
    original_purchase_date,
    expires_date,
    cancellation_date,
    web_order_line_item_id,
    is_trial_period,
    is_in_intro_offer_period,
    promotional_offer_id,
    as_of,
    receipt_key(receipt_sha256) AS receipt_id
FROM (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY environment, bundle_id, transaction_id
            ORDER BY as_of DESC, receipt_sha256 DESC, place
        ) AS choice
    FROM verified_purchases
    WHERE verdict = 'trusted'
)
WHERE choice = 1
