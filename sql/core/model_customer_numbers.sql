-- A number for each customer that model_payers names, separately for each app and environment.
--
-- Grain: one row per customer
-- Key: name, app_id, customer_kind
-- Numbered: customer_id
--
-- Columns:
--   customer_id    INTEGER!  –  number that this model gives the customer
--   name           TEXT!     –  account, app transaction, token or device that identifies the customer, else the
--                               original transaction's identifier
--   app_id         INTEGER!  –  app and environment, by the loader's number
--   customer_kind  TEXT!     –  what identifies the customer: account, app_transaction, token, device or original
SELECT DISTINCT name, app_id, customer_kind
FROM model_payers
