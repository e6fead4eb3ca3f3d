SELECT DISTINCT
    product_id AS product_number,
    product_id
FROM judged_purchases
WHERE product_id IS NOT NULL
