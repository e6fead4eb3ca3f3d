-- Which customer a user is: the one who pays for the purchases that the user presented, members' shares apart; if
-- several, the first by name. Users who presented no purchase are left out.
--
-- Grain: one row per user that presented a purchase
-- Key: user_id
-- Slice: user_id
-- Reference: user_id = model_users(user_id)
-- Reference: customer_id = model_customers(customer_id)
--
-- Columns:
--   user_id      INTEGER!  –  number of the user, as in model_users
--   customer_id  INTEGER!  –  number of the customer who pays, as in model_customers
WITH paid AS (
    SELECT holding.user_id, sale.customer_id
    FROM model_holdings AS holding
    JOIN model_sales AS sale ON sale.purchase_id = holding.purchase_id
    WHERE holding.user_id > 0
        AND sale.customer_id IS NOT NULL
),

bounds AS (
    SELECT user_id, min(customer_id) AS minimum_id, max(customer_id) AS maximum_id
    FROM paid
    GROUP BY user_id
),

ranked AS (
    SELECT
        bounds.user_id, paid.customer_id,
        row_number() OVER (
            PARTITION BY bounds.user_id
            ORDER BY coalesce(customer.customer, CAST(customer.original_id AS VARCHAR(255))), customer.customer_kind
        ) AS place
    FROM bounds
    JOIN paid ON paid.user_id = bounds.user_id
    JOIN model_customers AS customer ON customer.customer_id = paid.customer_id
    WHERE bounds.minimum_id < bounds.maximum_id
)

SELECT user_id, minimum_id AS customer_id
FROM bounds
WHERE minimum_id = maximum_id
UNION ALL
SELECT user_id, customer_id
FROM ranked
WHERE place = 1
