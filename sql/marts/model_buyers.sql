-- Customers who bought a product, free trials included, and how many of them share a purchase: a member's share has the
-- same original transaction.
--
-- Grain: one row per app and product that was bought
-- Key: app_id, product_number
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id          INTEGER!  –             app and environment, by the loader's number
--   product_number  INTEGER!  –             product, by the loader's number; 0 if none is stated
--   buyers          INTEGER!  customers     customers who bought the product
--   sharing_buyers  INTEGER!  customers     of the buyers, those who share a purchase of the product
--   entries         INTEGER!  transactions  number of transactions of the product
SELECT
    sale.app_id,
    coalesce(sale.product_number, 0) AS product_number,
    count(DISTINCT sale.customer_id) AS buyers,
    count(DISTINCT CASE WHEN share.original_id IS NOT NULL THEN sale.customer_id END) AS sharing_buyers,
    count(*) AS entries
FROM model_sales AS sale
LEFT JOIN (SELECT DISTINCT original_id, app_id FROM model_shares) AS share
    ON share.original_id = sale.original_id
    AND share.app_id = sale.app_id
WHERE sale.is_shared = 0
GROUP BY sale.app_id, coalesce(sale.product_number, 0)
