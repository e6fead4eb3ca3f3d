-- The user's rates of exchange by day: empty here. A run that is given --rates FILE.csv puts a table of the same name
-- before the view, which holds the rates into the currency that is asked for.
--
-- Catalog: no
--
-- Columns:
--   currency       –                –  the currency converted (ISO 4217)
--   into_currency  –                –  the currency it is converted into
--   rate           ratio            –  units of the second for one of the first
--   from_day       days since 1970  –  first day of the rate
--   until_day      days since 1970  –  the day on which the next rate of the same currencies begins, likewise
CREATE VIEW rates AS
SELECT
    '' AS currency,
    '' AS into_currency,
    0.0 AS rate,
    0 AS from_day,
    0 AS until_day
WHERE 0 = 1;
