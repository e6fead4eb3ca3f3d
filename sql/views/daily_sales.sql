-- The purchases of priced_purchases by day: those that are alike in all of these columns, counted. Family
-- members' shares are not among them.
--
-- Columns:
--   environment          –                –               as in priced_purchases
--   bundle_id            –                –               as in priced_purchases
--   product_id           –                –               as in priced_purchases
--   storefront           –                –               as in priced_purchases
--   currency             –                –               as in priced_purchases
--   price_source         –                –               as in priced_purchases
--   purchase_day         days since 1970  –               as in priced_purchases
--   refund_day           days since 1970  –               as in priced_purchases
--   sale                 –                –               as in priced_purchases
--   offer                –                –               as in priced_purchases
--   is_upgraded          0 or 1           –               as in priced_purchases
--   is_refunded_in_part  0 or 1           –               as in priced_purchases
--   revocation_reason    –                –               as in priced_purchases
--   revocation_type      –                –               as in priced_purchases
--   is_share_told        0 or 1           –               1: the store states the share that was given back
--   price_milliunits     –                –               the price of each
--   refunded_milliunits  –                –               what was given back of each
--   purchases            purchases        –               how many are alike
--   units                units            –               their quantities, added up
CREATE VIEW daily_sales AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id,
    sold.storefront,
    sold.currency,
    sold.price_source,
    sold.purchase_day,
    sold.refund_day,
    sold.sale,
    sold.offer,
    sold.is_upgraded,
    sold.is_refunded_in_part,
    sold.revocation_reason,
    sold.revocation_type,
    sold.is_share_told,
    sold.price_milliunits,
    sold.refunded_milliunits,
    sold.purchases,
    sold.units
FROM daily_sales_by_number AS sold
JOIN app ON app.app_id = sold.app_number
LEFT JOIN product ON product.product_number = sold.product_number;
