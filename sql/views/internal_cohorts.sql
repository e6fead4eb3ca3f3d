-- The number of customers in each cohort, that is, with their first transaction in the same month.
--
-- One row per app, cohort month, and age from which it is unknown what the customers paid. The age counts months since
-- a customer's first transaction, which begin on the day of the month of that transaction.
--
-- Columns:
--   app_id            –          –  app and environment, by the loader's number
--   cohort_month      –          –  number of the local month of the customers' first transaction
--   unknown_from_age  months     –  age in months since the customer's first transaction from which it is unknown what
--                                   the customer paid; 9999 if everything is known
--   customers         customers  –  number of customers whose first transaction was in the cohort's month
--   paying_customers  customers  –  of the customers, those who ever paid
CREATE VIEW internal_cohorts AS
WITH counted AS (
    SELECT
        customer.app_id,
        customer.cohort_month,
        customer.first_paid_ms,
        CASE
            WHEN customer.known_ms IS NULL THEN 9999
            -- Ages are counted as in model_customer_value.
            ELSE day.month_number - customer.own_month - CASE WHEN day.own_day < customer.own_day THEN 1 ELSE 0 END
        END AS unknown_from_age
    FROM model_customers AS customer
    LEFT JOIN model_days AS day
        ON day.day_number = CAST((customer.known_ms + 3600000 - (customer.known_ms + 3600000) % 86400000) / 86400000 AS BIGINT)
    WHERE customer.cohort_month IS NOT NULL
)

SELECT
    app_id,
    cohort_month,
    CASE WHEN unknown_from_age < 0 THEN 0 ELSE coalesce(unknown_from_age, 9999) END AS unknown_from_age,
    count(*) AS customers,
    sum(CASE WHEN first_paid_ms IS NOT NULL THEN 1 ELSE 0 END) AS paying_customers
FROM counted
GROUP BY app_id, cohort_month, CASE WHEN unknown_from_age < 0 THEN 0 ELSE coalesce(unknown_from_age, 9999) END;
