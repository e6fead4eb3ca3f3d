-- Sales and refunds as the store's report files state them: one row for each row of a SALES, FINANCIAL or
-- FINANCE_DETAIL file. The store's Pacific days, whatever the database's time zone. If several files state the same
-- days, such as a day's file and its week's, or a file and its correction, each file has its rows here.
--
-- Columns:
--   report               –           –  sales, financial or finance_detail
--   file                 –           –  name of the file, without its folder; - for standard input
--   line                 line        –  line in it, from 1
--   begins               date        –  first day of what the row counts; of finance_detail the transaction date
--   ends                 date        –  last day; of finance_detail the settlement date
--   sku                  –           –  product identifier of an in-app purchase, or SKU of an app
--   country              –           –  country of the store (ISO 3166, two letters)
--   currency             –           –  currency of the customer's price (ISO 4217)
--   units                REAL  units  –  how many; below zero of refunds
--   gross_milliunits     milliunits  –  units times the price of one, in thousandths of the currency; below zero of
--                                       refunds
--   proceeds_milliunits  milliunits  –  what the developer gets of all units, in thousandths of proceeds_currency;
--                                       below zero of refunds
--   proceeds_currency    –           –  currency of the proceeds
--   product_type         –           –  the store's product type identifier, such as IAY
--   parent_sku           –           –  SKU of the app in which it was bought
--   apple_id             number      –  the store's number of the product
--   title                –           –  the product's name
--   price_milliunits     milliunits  –  price of one that the customer paid, in thousandths of the currency, never
--                                       below zero
--   region               –           –  part of the country
--   subscription         –           –  New or Renewal
--   period               –           –  length of the subscription's period, as the store writes it
--   promo_code           –           –  promo code
--   order_type           –           –  order type
--   proceeds_reason      –           –  why the developer's part is another, such as Rate After One Year
--   preserved_pricing    –           –  Yes where the customer keeps a former price
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
LEFT JOIN model_countries AS listed ON listed.storefront = sale.country;
