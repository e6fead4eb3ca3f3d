-- Rates of exchange into the currency that is asked: none here, those of --rates under receiptmill report.
--
-- Columns:
--   currency       –   –  currency that is converted
--   into_currency  –   –  currency that it is converted into
--   rate           –   –  units of the second for one of the first
--   from_day       –   –  number of the first day on which it holds
--   until_day      –   –  number of the day from which the next holds
CREATE VIEW rates AS
SELECT '' AS currency, '' AS into_currency, 1.0 AS rate, 0 AS from_day, 0 AS until_day WHERE 0 = 1;
