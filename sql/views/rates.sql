-- Rates of exchange into the reporting currency, one row per currency and day: those that receiptmill refresh --rates
-- keeps. A run that asks for another currency, or is given a list, puts a table of the same name before the view.
--
-- Catalog: no
--
-- Columns:
--   currency       –                –  the currency converted (ISO 4217)
--   into_currency  –                –  the currency it is converted into
--   rate           ratio            –  units of the second for one of the first
--   day_number     days since 1970  –  day of the rate
CREATE VIEW rates AS
SELECT currency, into_currency, rate, day_number
FROM exchange_rate;
