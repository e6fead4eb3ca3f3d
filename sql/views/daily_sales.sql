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
--   is_upgraded          0 or 1           –               as in priced_purchases
--   is_refunded_in_part  0 or 1           –               as in priced_purchases
--   revocation_reason    –                –               as in priced_purchases
--   revocation_type      –                –               as in priced_purchases
--   is_share_told        0 or 1           –               1: the store states the share that was given back
--   price_milliunits     –                –               the price of each
--   refunded_milliunits  –                –               what was given back of each
--   purchases            purchases        –               how many are alike
CREATE VIEW daily_sales AS
SELECT
    environment,
    bundle_id,
    product_id,
    storefront,
    currency,
    price_source,
    purchase_day,
    refund_day,
    sale,
    is_upgraded,
    is_refunded_in_part,
    revocation_reason,
    revocation_type,
    CASE WHEN revoked_share IS NULL THEN 0 ELSE 1 END AS is_share_told,
    price_milliunits,
    refunded_milliunits,
    count(*) AS purchases
FROM priced_purchases
WHERE sale <> 'family'
-- The keys that differ most come first, which makes the sort cheaper.
GROUP BY
    purchase_day, product_id, refund_day, price_milliunits, storefront, sale, refunded_milliunits, is_upgraded, currency,
    price_source, is_refunded_in_part, revocation_reason, revocation_type,
    CASE WHEN revoked_share IS NULL THEN 0 ELSE 1 END, bundle_id, environment;
