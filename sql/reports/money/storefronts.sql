-- storefronts: Customers and money by storefront
-- Where do customers buy, in which currency, and how much?
--
-- Grain: one row per environment, bundle_id, storefront, currency
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all         bundle identifier of the app; or all
--   :from         date           2008-07-10  first day that counts, of purchases and of refunds
--   :until        date(:from..)  9999-12-31  last day that counts
--
-- Columns:
--   environment          text     environment of the purchases
--   bundle_id            text     bundle identifier of the app
--   storefront           text     country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency             text     currency of the prices (ISO 4217); (none) where there is no price
--   customers            integer  customers with a sale there
--   sales                integer  purchases of a price above 0 or unknown
--   sales_share          share    sales per sale of the app in the environment
--   gross_milliunits     integer(milliunits)  their prices, in thousandths of the currency; null without a currency
--   gross_share          share    gross_milliunits per gross of the app in the currency
--   refunds              integer  refunds dated within the days, of such purchases, whenever they were made
--   refunded_milliunits  integer(milliunits)  given back by these refunds
--   net_milliunits       integer(milliunits)  gross_milliunits less refunded_milliunits
--   list_milliunits      integer(milliunits)  of gross_milliunits, what is by a list's prices
--   free_purchases       integer  purchases that cost nothing: trials, and a price of 0; none of the sales
--
-- Chart: bars  x=storefront  y=sales  series=bundle_id
--
-- Notes:
--   Only signed data names a storefront: purchases from receipts alone stand under
--   (none). A storefront can have two currencies, and a currency many storefronts; money
--   of two currencies has no common share, so gross_share is that of the currency.
--   A customer who bought in two storefronts counts in both: customers don't add up to
--   those of the app. Who a customer is, purchase_customers says.
--   Prices are what customers paid, with taxes and the store's commission in them.
--   Prices by storefront stand in storefront-prices.
--
-- Example:
--   receiptmill report storefronts --database mill.sqlite --param from=2025-01-01

WITH days AS (
    SELECT min(day_number) AS first_day, max(day_number) AS last_day
    FROM calendar
    WHERE day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
),

summed AS (
    SELECT
        app_number,
        storefront,
        currency,
        sum(customers) AS customers,
        sum(sales) AS sales,
        sum(gross) AS gross,
        sum(listed) AS listed,
        sum(free_purchases) AS free_purchases,
        sum(refunds) AS refunds,
        sum(refunded) AS refunded
    FROM (
        SELECT
            sold.app_number,
            sold.storefront,
            sold.currency,
            0 AS customers,
            CASE WHEN sold.sale = 'free' THEN 0 ELSE sold.purchases END AS sales,
            CASE WHEN sold.sale = 'free' THEN 0 ELSE coalesce(sold.purchases * sold.price_milliunits, 0) END AS gross,
            CASE
                WHEN sold.sale = 'free' OR sold.price_source <> 'list' THEN 0
                ELSE sold.purchases * sold.price_milliunits
            END AS listed,
            CASE WHEN sold.sale = 'free' THEN sold.purchases ELSE 0 END AS free_purchases,
            0 AS refunds,
            0 AS refunded
        FROM daily_sales_by_number AS sold
        CROSS JOIN days
        WHERE sold.purchase_day BETWEEN days.first_day AND days.last_day
        UNION ALL
        SELECT
            sold.app_number,
            sold.storefront,
            sold.currency,
            0,
            0,
            0,
            0,
            0,
            sold.purchases,
            coalesce(sold.purchases * sold.refunded_milliunits, 0)
        FROM daily_sales_by_number AS sold
        CROSS JOIN days
        WHERE sold.refund_day BETWEEN days.first_day AND days.last_day
        UNION ALL
        -- Each customer on the first of the days with a sale.
        SELECT sold.app_number, sold.storefront, sold.currency, sold.customers, 0, 0, 0, 0, 0, 0
        FROM storefront_customers_by_day AS sold
        CROSS JOIN days
        WHERE sold.day_number BETWEEN days.first_day AND days.last_day
            AND coalesce(sold.former_day, days.first_day - 1) < days.first_day
    ) AS counted
    GROUP BY storefront, currency, app_number
),

named AS (
    SELECT
        app_names.environment,
        app_names.bundle_id,
        coalesce(summed.storefront, '(none)') AS storefront,
        coalesce(summed.currency, '(none)') AS currency,
        summed.customers,
        summed.sales,
        summed.gross,
        summed.listed,
        summed.free_purchases,
        summed.refunds,
        summed.refunded
    FROM summed
    JOIN app_names ON app_names.app_number = summed.app_number
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    storefront,
    currency,
    customers,
    sales,
    round(
        CAST(sales AS DOUBLE) / nullif(CAST(sum(sales) OVER (PARTITION BY environment, bundle_id) AS DOUBLE), 0), 4)
        AS sales_share,
    CASE WHEN currency <> '(none)' THEN gross END AS gross_milliunits,
    CASE
        WHEN currency <> '(none)'
            THEN round(
                CAST(gross AS DOUBLE)
                / nullif(CAST(sum(gross) OVER (PARTITION BY environment, bundle_id, currency) AS DOUBLE), 0), 4)
    END AS gross_share,
    refunds,
    CASE WHEN currency <> '(none)' THEN refunded END AS refunded_milliunits,
    CASE WHEN currency <> '(none)' THEN gross - refunded END AS net_milliunits,
    CASE WHEN currency <> '(none)' THEN listed END AS list_milliunits,
    free_purchases
FROM named
ORDER BY 1, 2, 3, 4;
