-- The currencies of model_currency_digits, found in one step.
--
-- Grain: one row per currency whose amounts do not have two digits behind the point
-- Key: currency
--
-- Columns:
--   currency  TEXT!     –       the currency (ISO 4217)
--   digits    INTEGER!  digits  digits behind the point
SELECT currency, digits
FROM model_currency_digits
