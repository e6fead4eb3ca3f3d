-- The currencies of internal_currency_digits, as a table for fast lookup.
--
-- Grain: one row per currency whose amounts do not have two decimals
-- Key: currency
--
-- Columns:
--   currency  TEXT!     –       the currency (ISO 4217)
--   digits    INTEGER!  digits  number of decimal places of amounts in the currency
SELECT currency, digits
FROM internal_currency_digits
