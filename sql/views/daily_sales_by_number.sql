-- The rows of daily_sales by number, without names: the purchases of sales_by_number that are alike in all of these
-- columns, counted.
--
-- Columns:
--   app_number           –                –  the app's number in this database alone
--   product_number       –                –  the product's number in this database alone
--   storefront           –                –  as in priced_purchases
--   currency             –                –  as in priced_purchases
--   price_source         –                –  as in priced_purchases
--   purchase_day         days since 1970  –  as in priced_purchases
--   refund_day           days since 1970  –  as in priced_purchases
--   sale                 –                –  as in priced_purchases
--   offer                –                –  as in priced_purchases
--   is_upgraded          0 or 1           –  as in priced_purchases
--   is_refunded_in_part  0 or 1           –  as in priced_purchases
--   revocation_reason    –                –  as in priced_purchases
--   revocation_type      –                –  as in priced_purchases
--   is_share_told        0 or 1           –  1: the store states the share that was given back
--   price_milliunits     –                –  the price of each
--   refunded_milliunits  –                –  what was given back of each
--   purchases            purchases        –  how many are alike
--   units                units            –  their quantities, added up
CREATE VIEW daily_sales_by_number AS
SELECT
    app_number,
    product_number,
    storefront,
    currency,
    price_source,
    nullif(dates / 67108864, 0) - 1000000 AS purchase_day,
    nullif(dates / 8 % 8388608, 0) - 1000000 AS refund_day,
    sale,
    offer,
    dates / 4 % 2 AS is_upgraded,
    dates / 2 % 2 AS is_refunded_in_part,
    revocation_reason,
    revocation_type,
    dates % 2 AS is_share_told,
    price_milliunits,
    refunded_milliunits,
    purchases,
    units
FROM (
    SELECT
        app_number,
        product_number,
        storefront,
        currency,
        price_source,
        dates,
        sale,
        offer,
        revocation_reason,
        revocation_type,
        price_milliunits,
        refunded_milliunits,
        count(*) AS purchases,
        sum(quantity) AS units
    FROM (
        SELECT
            app_number,
            product_number,
            storefront,
            currency,
            price_source,
            -- As in purchases_by_number: both days and three flags in one number.
            (
                coalesce((sold_ms + (SELECT ms FROM zone_offset)) / 86400000 + 1000000, 0) * 8388608
                + coalesce((refund_ms + (SELECT ms FROM zone_offset)) / 86400000 + 1000000, 0)
            ) * 8
            + is_upgraded * 4
            + is_refunded_in_part * 2
            + CASE WHEN revoked_share IS NULL THEN 0 ELSE 1 END AS dates,
            sale,
            offer,
            quantity,
            revocation_reason,
            revocation_type,
            price_milliunits,
            refunded_milliunits
        FROM sales_by_number
        WHERE sale <> 'family'
        -- The limit makes a row of what is sorted: without it, all that the days are worked out of is sorted along.
        LIMIT -1
    ) AS dated
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY
        dates, product_number, price_milliunits, storefront, sale, offer, refunded_milliunits, currency, price_source,
        revocation_reason, revocation_type, app_number
) AS counted;
