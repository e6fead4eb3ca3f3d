-- The user's rates of exchange: empty here, and hidden by a temporary table of the
-- same name where a run is given --rates FILE.csv.
--
-- Columns:
--   currency    –    –  the currency converted (ISO 4217)
--   into_currency  –    –  the currency it is converted into
--   valid_from  day  –  first day of the rate, in UTC
--   rate        –    –  units of the second for one of the first
CREATE VIEW exchange_rates AS
SELECT
    '' AS currency,
    '' AS into_currency,
    '' AS valid_from,
    0.0 AS rate
WHERE 0 = 1;
