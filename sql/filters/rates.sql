-- The rates by which a report converts: rows of the view rates, divided by the rates of the currency that is asked for.
--
-- Parameters:
--   :into_currency  currency  null  currency that amounts are converted into, such as EUR, or none; else the database's
SELECT
    held.currency, coalesce(:into_currency, held.into_currency) AS into_currency,
    held.rate / coalesce(asked.rate, 1.0) AS rate, held.day_number
FROM main.rates AS held
LEFT JOIN main.rates AS asked ON asked.day_number = held.day_number AND asked.currency = :into_currency
WHERE (asked.rate IS NOT NULL OR coalesce(:into_currency, held.into_currency) = held.into_currency)
    AND held.currency <> coalesce(:into_currency, '')
UNION ALL
SELECT asked.into_currency, asked.currency, 1.0 / asked.rate, asked.day_number
FROM main.rates AS asked
WHERE asked.currency = :into_currency
