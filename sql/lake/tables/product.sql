SELECT number_key(product_id) AS product_number, product_id
FROM verified_purchases
WHERE product_id IS NOT NULL
UNION
SELECT number_key(product_id), product_id
FROM loaded_renewals
WHERE product_id IS NOT NULL
UNION
SELECT number_key(auto_renew_product_id), auto_renew_product_id
FROM loaded_renewals
WHERE auto_renew_product_id IS NOT NULL
UNION
SELECT number_key(commitment_product_id), commitment_product_id
FROM loaded_renewals
WHERE commitment_product_id IS NOT NULL
UNION
SELECT number_key(summary_product_id), summary_product_id
FROM loaded_notifications
WHERE summary_product_id IS NOT NULL
UNION
SELECT number_key(product_id), product_id
FROM loaded_realtime_requests
WHERE product_id IS NOT NULL
