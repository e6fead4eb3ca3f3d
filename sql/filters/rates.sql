-- The rates by which a report converts: rows of the view rates.
--
-- Parameters:
--   :into_currency  currency  null  currency that --rates converts into, such as EUR
SELECT *
FROM main.rates
WHERE into_currency = :into_currency
