-- What untrusted receipts claim, merged by the rule of purchase, separately for each verdict and kind.
SELECT
    row_key(app_name(environment, bundle_id) || ' ' || transaction_id || ' ' || verdict || ' ' || kind) AS purchase_id,
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
    receipt_key(receipt_sha256) AS receipt_id,
    verdict,
    kind
FROM (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY environment, bundle_id, transaction_id, verdict, kind
            ORDER BY as_of DESC, receipt_sha256 DESC, place
        ) AS choice
    FROM verified_purchases
    WHERE verdict <> 'trusted'
)
WHERE choice = 1
