-- Numbers of customers, as model_payers names them: one for each app and environment.
--
-- Grain: one row per customer
-- Key: name, app_id, customer_kind
-- Numbered: customer_id
--
-- Columns:
--   customer_id    INTEGER!  –  number of the customer
--   name           TEXT!     –  the customer's name; of the kind original, the original's identifier
--   app_id         INTEGER!  –  app and environment, by the loader's number
--   customer_kind  TEXT!     –  account, app_transaction, token, device or original
SELECT DISTINCT name, app_id, customer_kind
FROM model_payers
