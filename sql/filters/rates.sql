-- The exchange rates by which a report converts: rows of the view rates, converted to the requested currency.
--
-- Parameters:
--   :into_currency  currency  null  currency of converted amounts, such as EUR; or none; by default the database's
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
