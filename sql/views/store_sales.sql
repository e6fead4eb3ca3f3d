-- Sales and refunds as the store's report files state them: one row for each row of a SALES, FINANCIAL or
-- FINANCE_DETAIL file. Days are the store's Pacific days, whatever the database's time zone. If several files state the
-- same days, such as a file for a day and one for its week, or a file and its correction, the rows of each file are
-- here.
--
-- Columns:
--   report               –           –  kind of report file: sales, financial or finance_detail
--   file                 –           –  name of the file, without its folder; - for standard input
--   line                 line        –  number of the line in the file, from 1
--   begins               date        –  first day that the row counts; for finance_detail, the transaction date
--   ends                 date        –  last day that the row counts; for finance_detail, the settlement date
--   sku                  –           –  product identifier of an in-app purchase, or SKU of an app
--   country              –           –  country of the store (ISO 3166, two letters)
--   currency             –           –  currency of the customer's price (ISO 4217)
--   units                REAL  units  –  number of units; negative for refunds
--   gross_milliunits     milliunits  –  units times the price of one unit, in thousandths of the currency; negative for
--                                       refunds
--   proceeds_milliunits  milliunits  –  what the developer gets for all units, in thousandths of proceeds_currency;
--                                       negative for refunds
--   proceeds_currency    –           –  currency of the proceeds
--   product_type         –           –  the store's product type identifier, such as IAY
--   parent_sku           –           –  SKU of the app in which the product was bought
--   apple_id             number      –  the store's number of the product
--   title                –           –  the product's name
--   price_milliunits     milliunits  –  price of one unit that the customer paid, in thousandths of the currency, never
--                                       negative
--   region               –           –  the file's column Region: part of the country
--   subscription         –           –  New or Renewal, for subscriptions
--   period               –           –  length of the subscription's period, as the store writes it
--   promo_code           –           –  the file's column Promo Code, as it is
--   order_type           –           –  the file's column Order Type, as it is
--   proceeds_reason      –           –  why the developer's share differs, such as Rate After One Year
--   preserved_pricing    –           –  Yes if the customer keeps an earlier price
--   file_id              number      –  the file's number in this database alone, in the order of loading
CREATE VIEW store_sales AS
SELECT
    store_file.report,
    store_file.name AS file,
    sale.line,
    strftime('%Y-%m-%d', sale.begins_day * 86400000 / 1000, 'unixepoch') AS begins,
    strftime('%Y-%m-%d', sale.ends_day * 86400000 / 1000, 'unixepoch') AS ends,
    sale.sku,
    coalesce(listed.country, sale.country) AS country,
    sale.currency,
    CASE
        WHEN sale.units_thousandths % 1000 = 0 THEN sale.units_thousandths / 1000
        ELSE CAST(sale.units_thousandths AS DOUBLE) / CAST(1000 AS DOUBLE)
    END AS units,
    sale.gross_milliunits,
    sale.proceeds_milliunits,
    sale.proceeds_currency,
    sale.product_type,
    sale.parent_sku,
    sale.apple_id,
    sale.title,
    sale.price_milliunits,
    sale.region,
    sale.subscription,
    sale.period,
    sale.promo_code,
    sale.order_type,
    sale.proceeds_reason,
    sale.preserved_pricing,
    sale.file_id
FROM store_sale AS sale
JOIN store_file USING (file_id)
LEFT JOIN internal_countries AS listed ON listed.storefront = sale.country;
