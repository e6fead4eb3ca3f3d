-- The countries of internal_countries by storefront, as a table for fast lookup.
--
-- Grain: one row per storefront
-- Key: storefront
--
-- Columns:
--   storefront  TEXT!  –  country of the store, three letters (ISO 3166-1 alpha-3)
--   country     TEXT!  –  the same country, two letters (ISO 3166-1 alpha-2)
SELECT storefront, country
FROM internal_countries
