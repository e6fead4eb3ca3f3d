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

WITH counted AS (
    SELECT
        priced_purchases.environment,
        priced_purchases.bundle_id,
        coalesce(priced_purchases.storefront, '(none)') AS storefront,
        coalesce(priced_purchases.currency, '(none)') AS currency,
        purchase_customers.customer_kind || ' ' || purchase_customers.customer AS customer,
        priced_purchases.purchase_day,
        priced_purchases.refund_day,
        CASE WHEN priced_purchases.sale = 'free' THEN 0 ELSE 1 END AS is_sale,
        CASE WHEN priced_purchases.price_source = 'list' THEN 1 ELSE 0 END AS is_listed,
        priced_purchases.price_milliunits,
        priced_purchases.refunded_milliunits
    FROM priced_purchases
    JOIN purchase_customers ON purchase_customers.purchase_number = priced_purchases.purchase_number
    WHERE priced_purchases.sale <> 'family'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || priced_purchases.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', priced_purchases.bundle_id)
),

moved AS (
    SELECT
        environment,
        bundle_id,
        storefront,
        currency,
        purchase_day AS day_number,
        CASE WHEN is_sale = 1 THEN customer END AS customer,
        is_sale AS sales,
        is_sale * price_milliunits AS gross,
        is_sale * is_listed * price_milliunits AS listed,
        1 - is_sale AS free_purchases,
        0 AS refunds,
        0 AS refunded
    FROM counted
    UNION ALL
    SELECT environment, bundle_id, storefront, currency, refund_day, NULL, 0, 0, 0, 0, 1, refunded_milliunits
    FROM counted
    WHERE refund_day IS NOT NULL
),

summed AS (
    SELECT
        moved.environment,
        moved.bundle_id,
        moved.storefront,
        moved.currency,
        count(DISTINCT moved.customer) AS customers,
        sum(moved.sales) AS sales,
        coalesce(sum(moved.gross), 0) AS gross,
        coalesce(sum(moved.listed), 0) AS listed,
        sum(moved.free_purchases) AS free_purchases,
        sum(moved.refunds) AS refunds,
        coalesce(sum(moved.refunded), 0) AS refunded
    FROM moved
    JOIN calendar ON calendar.day_number = moved.day_number
    WHERE calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
    GROUP BY 3, 4, 2, 1
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
FROM summed
ORDER BY 1, 2, 3, 4;
