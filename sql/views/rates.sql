-- Exchange rates into the reporting currency, one row per currency and day, as receiptmill refresh --rates stores them.
-- A run hides the view by a temporary table of the same name if it asks for another currency, or brings its own rates.
--
-- Catalog: no
--
-- Columns:
--   currency       –                –  the currency that is converted (ISO 4217)
--   into_currency  –                –  the currency into which amounts are converted
--   rate           ratio            –  units of into_currency for one unit of currency
--   day_number     days since 1970  –  day on which the rate applies
CREATE VIEW rates AS
SELECT currency, into_currency, rate, day_number
FROM exchange_rate;
