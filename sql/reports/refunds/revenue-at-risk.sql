-- revenue-at-risk: Refunds in money, by a price list of yours
-- What were the refunded purchases worth, by a list of prices?
--
-- Grain: one row per environment, bundle_id, product_id, currency
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day of purchase that counts
--   :until        date(:from..)  9999-12-31                last day of purchase that counts
--
-- Columns:
--   environment     text            environment of the purchases
--   bundle_id       text            bundle identifier of the app
--   product_id      text            product bought
--   currency        text            the list's currency; (none) for a product that is not in it
--   price           real(currency)  the list's newest price of one up to the last day that counts; null where the list
--                                   begins later
--   units           integer(units)  units bought; no free trials, no family members' shares
--   refunded_units  integer(units)  of these, those refunded, upgrades left out
--   revenue         real(currency)  units by the price of the day of purchase, introductory ones by the list's
--                                   introductory price
--   refunded        real(currency)  refunded_units by the same prices
--   refunded_share  share           refunded per revenue, in units
--
-- Chart: bars  x=product_id  y=refunded
--        bars  x=product_id  y=refunded_share
--
-- Notes:
--   For receipts, which hold no price; signed data does, and revenue counts by it. Give a
--   list with --prices FILE.csv: a line of headings product_id, currency, price, and
--   where you have them introductory_price and valid_from, the first day of a price;
--   then one price a line. Without it every product is priced (none). A product with
--   prices in two currencies has a row for each, each as if all had been sold at that
--   price: receipts don't say who paid which.
--   Units that the list has no price for are in units and not in revenue: those bought
--   before its first day, and introductory ones where it has no introductory price. Of
--   other offers the list knows nothing: they count at the full price.
--   In the sqlite3 shell: CREATE TEMP TABLE product_prices (product_id, currency, price,
--   introductory_price, valid_from), then .import --csv --skip 1 --schema temp prices.csv
--   product_prices, and make empty texts null.
--   List prices are gross: taxes and the store's commission are in them. What was refunded
--   in part counts as a whole. Refunds are a lower bound.
--
-- Example:
--   receiptmill report revenue-at-risk --database mill.sqlite --prices prices.csv

WITH sold AS (
    SELECT
        daily_sales.environment,
        daily_sales.bundle_id,
        daily_sales.product_id,
        calendar.day,
        CASE WHEN daily_sales.offer = 'introductory' THEN 1 ELSE 0 END AS is_introductory,
        sum(daily_sales.units) AS units,
        sum(CASE WHEN daily_sales.refund_day IS NOT NULL THEN daily_sales.units ELSE 0 END) AS refunded_units
    FROM daily_sales
    JOIN calendar ON calendar.day_number = daily_sales.purchase_day
    WHERE (daily_sales.sale <> 'free' OR (daily_sales.price_source = 'list' AND daily_sales.offer IS NULL))
        AND calendar.day
            BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || daily_sales.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', daily_sales.bundle_id)
    GROUP BY 4, 3, 5, 2, 1
),

listed AS (
    SELECT
        product_id,
        currency,
        CAST(price AS DOUBLE) AS price,
        CAST(introductory_price AS DOUBLE) AS introductory_price,
        coalesce(valid_from, '') AS valid_from,
        lead(coalesce(valid_from, '')) OVER (
            PARTITION BY product_id, currency ORDER BY coalesce(valid_from, '')
        ) AS valid_until
    FROM product_prices
),

priced AS (
    SELECT
        sold.environment,
        sold.bundle_id,
        sold.product_id,
        listing.currency,
        newest.price,
        sold.units,
        sold.refunded_units,
        CASE WHEN sold.is_introductory = 1 THEN listed.introductory_price ELSE listed.price END AS price_paid
    FROM sold
    LEFT JOIN (SELECT DISTINCT product_id, currency FROM listed) AS listing
        ON listing.product_id = sold.product_id
    LEFT JOIN listed
        ON listed.product_id = listing.product_id
        AND listed.currency = listing.currency
        AND listed.valid_from <= sold.day
        AND coalesce(listed.valid_until, '9999-12-32') > sold.day
    LEFT JOIN listed AS newest
        ON newest.product_id = listing.product_id
        AND newest.currency = listing.currency
        AND newest.valid_from <= coalesce(:until, '9999-12-31')
        AND coalesce(newest.valid_until, '9999-12-32') > coalesce(:until, '9999-12-31')
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    coalesce(product_id, '(none)') AS product_id,
    coalesce(currency, '(none)') AS currency,
    max(price) AS price,
    sum(units) AS units,
    sum(refunded_units) AS refunded_units,
    CASE WHEN currency IS NOT NULL THEN round(coalesce(sum(units * price_paid), 0.0), 2) END AS revenue,
    CASE WHEN currency IS NOT NULL THEN round(coalesce(sum(refunded_units * price_paid), 0.0), 2) END AS refunded,
    round(CAST(sum(refunded_units) AS DOUBLE) / nullif(sum(units), 0), 4) AS refunded_share
FROM priced
GROUP BY product_id, currency, bundle_id, environment
ORDER BY 1, 2, 3, 4;
