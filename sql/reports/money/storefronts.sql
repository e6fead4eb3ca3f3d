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

counted AS (
    SELECT
        sold.app_number,
        coalesce(sold.storefront, '(none)') AS storefront,
        coalesce(sold.currency, '(none)') AS currency,
        sold.original_number,
        sold.purchase_day,
        sold.refund_day,
        CASE WHEN sold.sale = 'free' THEN 0 ELSE 1 END AS is_sale,
        CASE WHEN sold.price_source = 'list' THEN 1 ELSE 0 END AS is_listed,
        sold.price_milliunits,
        sold.refunded_milliunits
    FROM sales_by_number AS sold
    JOIN app_names ON app_names.app_number = sold.app_number
    WHERE sold.sale <> 'family'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
),

-- By original transaction first, of which there are fewer than purchases.
moved AS (
    SELECT
        counted.app_number,
        counted.storefront,
        counted.currency,
        counted.original_number,
        sum(counted.is_sale) AS sales,
        sum(counted.is_sale * counted.price_milliunits) AS gross,
        sum(counted.is_sale * counted.is_listed * counted.price_milliunits) AS listed,
        sum(1 - counted.is_sale) AS free_purchases
    FROM counted
    CROSS JOIN days
    WHERE counted.purchase_day BETWEEN days.first_day AND days.last_day
    GROUP BY counted.original_number, counted.app_number, counted.storefront, counted.currency
),

refunded AS (
    SELECT
        counted.app_number,
        counted.storefront,
        counted.currency,
        count(*) AS refunds,
        sum(counted.refunded_milliunits) AS refunded
    FROM counted
    CROSS JOIN days
    WHERE counted.refund_day BETWEEN days.first_day AND days.last_day
    GROUP BY counted.storefront, counted.currency, counted.app_number
),

summed AS (
    SELECT
        app_number,
        storefront,
        currency,
        sum(customers) AS customers,
        coalesce(sum(sales), 0) AS sales,
        coalesce(sum(gross), 0) AS gross,
        coalesce(sum(listed), 0) AS listed,
        coalesce(sum(free_purchases), 0) AS free_purchases,
        sum(refunds) AS refunds,
        coalesce(sum(refunded), 0) AS refunded
    FROM (
        SELECT
            moved.app_number,
            moved.storefront,
            moved.currency,
            count(DISTINCT CASE WHEN moved.sales > 0 THEN customers.customer_number END) AS customers,
            sum(moved.sales) AS sales,
            sum(moved.gross) AS gross,
            sum(moved.listed) AS listed,
            sum(moved.free_purchases) AS free_purchases,
            0 AS refunds,
            0 AS refunded
        FROM moved
        JOIN customers_by_number AS customers
            ON customers.original_number = moved.original_number
            AND customers.app_number = moved.app_number
        GROUP BY moved.storefront, moved.currency, moved.app_number
        UNION ALL
        SELECT app_number, storefront, currency, 0, 0, 0, 0, 0, refunds, refunded
        FROM refunded
    ) AS both_sums
    GROUP BY storefront, currency, app_number
),

named AS (
    SELECT app_names.environment, app_names.bundle_id, summed.*
    FROM summed
    JOIN app_names ON app_names.app_number = summed.app_number
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
