-- Rates of exchange into the reporting currency, one row per currency and day: those that receiptmill refresh --rates
-- keeps. A temporary table of the same name hides the view if a run asks for another currency, or brings its own list.
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
