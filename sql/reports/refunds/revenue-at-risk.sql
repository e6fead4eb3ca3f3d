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
--   price           real(currency)  the list's price of one
--   units           integer(units)  units bought, free trials left out
--   refunded_units  integer(units)  of these, those refunded, upgrades left out
--   revenue         real(currency)  units by price
--   refunded        real(currency)  refunded_units by price
--   refunded_share  share           refunded per revenue, in units
--
-- Chart: bars  x=product_id  y=refunded  series=currency
--
-- Notes:
--   No receipt holds a price. Give a list with --prices FILE.csv: a line of headings
--   product_id, currency, price, then one product a line. Without it every product
--   is priced (none). A product with prices in two currencies has a row for each,
--   each as if all had been sold at that price: receipts don't say who paid which.
--   Of prices from several days the newest counts, introductory prices never; revenue
--   takes the price of each day.
--   In the sqlite3 shell: CREATE TEMP TABLE product_prices (product_id, currency, price,
--   introductory_price, valid_from), then .import --csv --skip 1 --schema temp prices.csv
--   product_prices.
--   List prices are gross: taxes and the store's commission are in them. Refunds are
--   a lower bound.
--
-- Example:
--   receiptmill report revenue-at-risk --database mill.sqlite --prices prices.csv

WITH sold AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        sum(units) AS units,
        sum(CASE WHEN cancellation_day IS NOT NULL AND is_upgraded = 0 THEN units ELSE 0 END)
            AS refunded_units
    FROM daily_purchases
    JOIN calendar ON calendar.day_number = daily_purchases.purchase_day
    WHERE is_trial_period = 0
        AND calendar.day
            BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    GROUP BY product_id, bundle_id, environment
),

listed AS (
    SELECT
        product_id,
        currency,
        CAST(price AS DOUBLE) AS price,
        row_number() OVER (PARTITION BY product_id, currency ORDER BY coalesce(valid_from, '') DESC) AS age
    FROM product_prices
)

SELECT
    coalesce(sold.environment, '(none)') AS environment,
    coalesce(sold.bundle_id, '(none)') AS bundle_id,
    coalesce(sold.product_id, '(none)') AS product_id,
    coalesce(listed.currency, '(none)') AS currency,
    listed.price,
    sold.units,
    sold.refunded_units,
    round(sold.units * listed.price, 2) AS revenue,
    round(sold.refunded_units * listed.price, 2) AS refunded,
    round(CAST(sold.refunded_units AS DOUBLE) / nullif(sold.units, 0), 4) AS refunded_share
FROM sold
LEFT JOIN listed ON listed.product_id = sold.product_id AND listed.age = 1
ORDER BY 1, 2, 3, 4;
