-- One row per customer of an app in an environment. The customer who pays is an account; if none is known, an app
-- transaction, an app account token, a device or an original transaction. A customer who pays in several currencies has
-- one row.
--
-- Columns:
--   environment    –      –  environment of the purchases
--   bundle_id      –      –  bundle identifier of the app
--   customer       –      –  identifier of the customer, of the kind customer_kind
--   customer_kind  –      –  what identifies the customer: account, app_transaction, token, device or original
--   first_sold_at  time   –  time of the customer's first transaction, free trials included
--   cohort         month  –  month of the customer's first transaction
--   first_paid_at  time   –  time of the customer's first paid transaction; null if there is none
--   first_offer    –      –  offer of the customer's first paid transaction; full if it had none
--   storefront     –      –  country of the store that the customer's transactions state; of several, the last in
--                            alphabetical order
--   transactions   –      –  number of the customer's transactions, without restored copies and members' shares
--   app_id         –      –  the app's number in this database alone, as in apps
--   customer_id    –      –  the customer's number in this database alone, as in sales
CREATE VIEW customers AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    coalesce(customer.customer, CAST(customer.original_id AS TEXT)) AS customer,
    customer.customer_kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN customer.first_ms >= 0 THEN customer.first_ms END / 1000, 'unixepoch') AS first_sold_at,
    cohort.month AS cohort,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN customer.first_paid_ms >= 0 THEN customer.first_paid_ms END / 1000, 'unixepoch') AS first_paid_at,
    customer.first_offer,
    customer.storefront,
    customer.transactions,
    customer.app_id,
    customer.customer_id
FROM model_customers AS customer
JOIN app ON app.app_id = customer.app_id
LEFT JOIN model_months AS cohort ON cohort.month_number = customer.cohort_month;
