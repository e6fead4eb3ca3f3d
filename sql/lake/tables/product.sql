SELECT DISTINCT
    product_id AS product_number,
    product_id
FROM verified_purchases
WHERE product_id IS NOT NULL
