-- Which customer a user is: the one who pays for what the user presented, shares apart; of several the first by number.
-- Who presented nothing that was bought is not in it.
--
-- Grain: one row per user that presented a purchase
-- Key: user_id
-- Reference: user_id = model_users(user_id)
-- Reference: customer_id = model_customers(customer_id)
--
-- Columns:
--   user_id      INTEGER!  –  who presents, as in model_users
--   customer_id  INTEGER!  –  who pays, as in model_customers
SELECT holding.user_id, min(sale.customer_id) AS customer_id
FROM model_holdings AS holding
JOIN model_sales AS sale ON sale.purchase_id = holding.purchase_id
WHERE holding.user_id > 0
    AND sale.customer_id IS NOT NULL
GROUP BY holding.user_id
