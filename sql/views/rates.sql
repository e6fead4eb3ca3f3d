-- The user's rates of exchange, one row per currency and day: empty here. A run that is given --rates FILE.csv puts a
-- table of the same name before the view, with the rates into the currency that is asked for.
--
-- Catalog: no
--
-- Columns:
--   currency       –                –  the currency converted (ISO 4217)
--   into_currency  –                –  the currency it is converted into
--   rate           ratio            –  units of the second for one of the first
--   day_number     days since 1970  –  day of the rate
CREATE VIEW rates AS
SELECT
    CAST('' AS TEXT) AS currency,
    CAST('' AS TEXT) AS into_currency,
    CAST(0 AS DOUBLE) AS rate,
    CAST(0 AS BIGINT) AS day_number
WHERE 0 = 1;
