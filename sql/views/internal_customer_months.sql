-- Customers who were active in a month, were subscribed at its end, or bought in it. One row per app and month, from
-- the first month with a customer to the month of the app's newest document. model_customer_changes defines active, and
-- has the changes from month to month.
--
-- Columns:
--   app_id                –          app and environment, by the loader's number
--   month_number          –          number of the month in which customers are counted
--   active_customers      customers  customers who were active in the month
--   subscribed_customers  customers  customers with a paid subscription at the month's last second
--   buyers                customers  customers with a sale in the month
CREATE VIEW internal_customer_months AS
WITH firsts AS (
    -- A customer may have got the app long before the first document, and so before being active.
    SELECT app_id, min(month_number) AS first_month
    FROM (
        SELECT app_id, month_number FROM model_customer_changes
        UNION ALL
        SELECT app_id, month_number FROM model_new_customers
    ) AS either
    GROUP BY app_id
)

SELECT
    firsts.app_id,
    month.month_number,
    sum(coalesce(counted.active_change, 0)) OVER so_far AS active_customers,
    sum(coalesce(counted.subscribed_change, 0)) OVER so_far AS subscribed_customers,
    coalesce(counted.buyers, 0) AS buyers
FROM firsts
JOIN model_apps AS app ON app.app_id = firsts.app_id
JOIN model_months AS month ON month.month_number >= firsts.first_month AND month.month_number <= app.last_month
LEFT JOIN model_customer_changes AS counted
    ON counted.app_id = firsts.app_id AND counted.month_number = month.month_number
WINDOW so_far AS (
    PARTITION BY firsts.app_id ORDER BY month.month_number ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
);
