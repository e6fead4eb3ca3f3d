-- The rows of SALES, FINANCIAL and FINANCE_DETAIL files that count:
-- - If files of one developer account state the same days, only the file loaded last counts, even if it lacks a row,
--   because Apple corrects its reports.
-- - A FINANCIAL file covers one region, so its countries are compared separately.
-- - A FINANCE_DETAIL file covers the fiscal month in which its rows were settled.
--
-- Columns:
--   report               –           kind of report file: sales, financial or finance_detail
--   vendor               –           the developer account: its number, or a product that identifies it
--   begins_day           –           number of the first day that the row counts
--   ends_day             –           number of the last day that the row counts, as stated in the file
--   sku                  –           product identifier of an in-app purchase, or SKU of an app
--   parent_sku           –           SKU of the app in which the product was bought
--   product_type         –           the store's product type identifier
--   country              –           country of the store (ISO 3166, two letters); empty if none is stated
--   currency             –           currency of the customer's price; empty if none is stated
--   units_thousandths    –           thousandths of units; negative for refunds
--   price_milliunits     milliunits  price of one unit
--   gross_milliunits     milliunits  units times price_milliunits
--   proceeds_milliunits  milliunits  what the developer gets for all units
--   proceeds_currency    –           currency of the proceeds
CREATE VIEW internal_store_lines AS
WITH settled AS (
    SELECT told.ends_day, fiscal.fiscal_month_number
    FROM (
        SELECT DISTINCT sale.ends_day
        FROM store_sale AS sale
        JOIN store_file AS file ON file.file_id = sale.file_id
        WHERE file.report = 'finance_detail'
    ) AS told
    JOIN model_fiscal_months AS fiscal ON fiscal.begins_day <= told.ends_day AND fiscal.ends_day >= told.ends_day
),

placed AS (
    SELECT
        file.report, file.vendor, sale.file_id, sale.begins_day, sale.ends_day, sale.sku, sale.parent_sku, sale.product_type,
        coalesce(listed.country, sale.country, '') AS country,
        coalesce(sale.currency, '') AS currency,
        sale.units_thousandths, sale.price_milliunits, sale.gross_milliunits, sale.proceeds_milliunits, sale.proceeds_currency,
        CASE file.report WHEN 'finance_detail' THEN coalesce(settled.fiscal_month_number, 0) ELSE sale.begins_day END AS from_day,
        CASE file.report WHEN 'finance_detail' THEN 0 ELSE sale.ends_day END AS until_day,
        CASE file.report WHEN 'financial' THEN coalesce(listed.country, sale.country, '') ELSE '' END AS part
    FROM store_sale AS sale
    JOIN store_file AS file ON file.file_id = sale.file_id
    LEFT JOIN settled ON settled.ends_day = sale.ends_day AND file.report = 'finance_detail'
    LEFT JOIN model_storefronts AS listed ON listed.storefront = sale.country
)

SELECT
    report, vendor, begins_day, ends_day, sku, parent_sku, product_type, country, currency, units_thousandths, price_milliunits,
    gross_milliunits, proceeds_milliunits, proceeds_currency
FROM (
    SELECT placed.*, max(file_id) OVER (PARTITION BY report, vendor, from_day, until_day, part) AS newest_file_id
    FROM placed
) AS stated
WHERE file_id = newest_file_id;
