-- revenue: Revenue by month: gross, refunded, net
-- What was paid, what was given back, and what is left, by month, product, storefront and currency?
--
-- Grain: one row per environment, bundle_id, month, product_id, storefront, currency, price_source
--
-- Parameters:
--   :environment    environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle         bundle         all      bundle identifier of the app; or all
--   :from           month          2008-01  first month shown; a week belongs to the month of its Monday
--   :until          month(:from..)  9999-12  last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--   :into_currency  text           null     currency that --rates converts into, such as EUR
--
-- Columns:
--   environment               text     environment of the purchases
--   bundle_id                 text     bundle identifier of the app
--   month                     month    month in UTC: of a sale its purchase date, of a refund its revocation; with
--                                      :grain week the Monday of the week, with day the day
--   product_id                text     product bought
--   storefront                text     country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency                  text     currency of the price (ISO 4217); (none) where there is no price
--   price_source              text     signed: the store signed the price; list: your list's price; none: no price
--   sales                     integer  purchases of a price above 0 or unknown
--   gross_milliunits          integer(milliunits)  their prices, in thousandths of the currency
--   refunds                   integer  refunds dated in the month, of such purchases, whenever they were made
--   refunded_milliunits       integer(milliunits)  given back by these refunds
--   net_milliunits            integer(milliunits)  gross_milliunits less refunded_milliunits
--   partial_refunds           integer  of the refunds, those of a share below the whole
--   partial_milliunits        integer(milliunits)  given back by these
--   free_purchases            integer  purchases that cost nothing: trials, and a price of 0; none of the sales
--   upgraded_sales            integer  of the sales, periods of which an upgrade took the place
--   upgraded_milliunits       integer(milliunits)  their prices; all of it is in gross_milliunits
--   introductory_sales        integer  of the sales, those at an introductory offer
--   introductory_milliunits   integer(milliunits)  their prices
--   promotional_sales         integer  of the sales, those at a promotional offer
--   promotional_milliunits    integer(milliunits)  their prices
--   offer_code_sales          integer  of the sales, those with an offer code
--   offer_code_milliunits     integer(milliunits)  their prices
--   win_back_sales            integer  of the sales, those at a win-back offer
--   win_back_milliunits       integer(milliunits)  their prices
--   into_currency             text     currency converted into; null where no rate is given
--   rate                      real     units of it for one of currency: the rate of the last day of the month,
--                                      week or day
--   rate_from                 date     day from which that rate holds
--   gross_converted           integer(milliunits)  gross_milliunits by the rate, in thousandths of into_currency
--   refunded_converted        integer(milliunits)  refunded_milliunits by the rate
--   net_converted             integer(milliunits)  gross_converted less refunded_converted
--
-- Chart: lines  x=month  y=net_milliunits  series=price_source
--
-- Notes:
--   Prices are what customers paid: taxes and the store's commission are in them, so
--   this is no payout. Never add rows of different currencies; convert them with
--   --rates FILE.csv and --param into_currency=EUR. A conversion rounds each row.
--   A list's prices (--prices FILE.csv) are yours and not the store's word: rows keep
--   them apart, and rows of price_source none count sales whose price nobody knows.
--   Refunds belong to the month in which they were made, not to that of the sale, so a
--   month's net can be negative. Of older signed data and of receipts nobody knows the
--   share of a refund: the whole is taken. What the store gave back for the rest of an
--   upgraded period is told nowhere: net is too high by up to upgraded_milliunits.
--   Family members' shares are no sales, and in no column; family-sharing counts them.
--   A cancellation of such a share, or by an upgrade, is no refund.
--   Months after the last document of the app are not without sales, but unknown.
--   Converted amounts take the rate of their own month: what was sold in one and refunded in
--   another leaves the difference of two rates. Rows without a rate are null, and no part of a
--   sum of converted amounts. Rows of two environments are sales of each.
--
-- Example:
--   receiptmill report revenue --database mill.sqlite --param environment=Production --param from=2025-01

-- Counted by number, and the names joined behind.
WITH moved AS (
    SELECT
        app_number,
        product_number,
        storefront,
        currency,
        price_source,
        purchase_day AS day_number,
        sale,
        is_upgraded AS is_marked,
        purchases,
        purchases * price_milliunits AS milliunits
    FROM daily_sales_by_number
    UNION ALL
    SELECT
        app_number,
        product_number,
        storefront,
        currency,
        price_source,
        refund_day,
        'refund',
        is_refunded_in_part,
        purchases,
        purchases * refunded_milliunits
    FROM daily_sales_by_number
    WHERE refund_day IS NOT NULL
),

by_sale AS (
    SELECT
        moved.app_number,
        moved.product_number,
        calendar.period AS month,
        moved.storefront,
        moved.currency,
        moved.price_source,
        moved.sale,
        moved.is_marked,
        sum(moved.purchases) AS purchases,
        coalesce(sum(moved.milliunits), 0) AS milliunits
    FROM moved
    JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = moved.day_number
    WHERE substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY calendar.period, moved.product_number, moved.sale, moved.is_marked, moved.storefront, moved.currency,
        moved.price_source, moved.app_number
),

by_month AS (
    SELECT
        coalesce(app_names.environment, '(none)') AS environment,
        coalesce(app_names.bundle_id, '(none)') AS bundle_id,
        sold.month,
        coalesce(product_names.product_id, '(none)') AS product_id,
        coalesce(sold.storefront, '(none)') AS storefront,
        coalesce(sold.currency, '(none)') AS currency,
        sold.price_source,
        sum(CASE WHEN sold.sale NOT IN ('free', 'refund') THEN sold.purchases ELSE 0 END) AS sales,
        sum(CASE WHEN sold.sale NOT IN ('free', 'refund') THEN sold.milliunits ELSE 0 END) AS gross,
        sum(CASE WHEN sold.sale = 'refund' THEN sold.purchases ELSE 0 END) AS refunds,
        sum(CASE WHEN sold.sale = 'refund' THEN sold.milliunits ELSE 0 END) AS refunded,
        sum(CASE WHEN sold.sale = 'refund' THEN sold.is_marked * sold.purchases ELSE 0 END) AS partial_refunds,
        sum(CASE WHEN sold.sale = 'refund' THEN sold.is_marked * sold.milliunits ELSE 0 END) AS partial,
        sum(CASE WHEN sold.sale = 'free' THEN sold.purchases ELSE 0 END) AS free_purchases,
        sum(CASE WHEN sold.sale NOT IN ('free', 'refund') THEN sold.is_marked * sold.purchases ELSE 0 END)
            AS upgraded_sales,
        sum(CASE WHEN sold.sale NOT IN ('free', 'refund') THEN sold.is_marked * sold.milliunits ELSE 0 END) AS upgraded,
        sum(CASE WHEN sold.sale = 'introductory' THEN sold.purchases ELSE 0 END) AS introductory_sales,
        sum(CASE WHEN sold.sale = 'introductory' THEN sold.milliunits ELSE 0 END) AS introductory,
        sum(CASE WHEN sold.sale = 'promotional' THEN sold.purchases ELSE 0 END) AS promotional_sales,
        sum(CASE WHEN sold.sale = 'promotional' THEN sold.milliunits ELSE 0 END) AS promotional,
        sum(CASE WHEN sold.sale = 'offer_code' THEN sold.purchases ELSE 0 END) AS offer_code_sales,
        sum(CASE WHEN sold.sale = 'offer_code' THEN sold.milliunits ELSE 0 END) AS offer_code,
        sum(CASE WHEN sold.sale = 'win_back' THEN sold.purchases ELSE 0 END) AS win_back_sales,
        sum(CASE WHEN sold.sale = 'win_back' THEN sold.milliunits ELSE 0 END) AS win_back
    FROM by_sale AS sold
    JOIN app_names ON app_names.app_number = sold.app_number
    LEFT JOIN product_names ON product_names.product_number = sold.product_number
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
    GROUP BY 3, 4, 5, 6, 7, 2, 1
),

rates AS (
    SELECT
        exchange_rates.currency,
        exchange_rates.into_currency,
        exchange_rates.valid_from,
        CAST(exchange_rates.rate AS DOUBLE) AS rate,
        lead(exchange_rates.valid_from) OVER (
            PARTITION BY exchange_rates.currency ORDER BY exchange_rates.valid_from
        ) AS valid_until
    FROM exchange_rates
    WHERE exchange_rates.into_currency = :into_currency
),

month_ends AS (
    SELECT period AS month, max(day) AS last_day
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
    GROUP BY period
),

converted AS (
    SELECT
        by_month.*,
        -- A price in the currency itself needs no rate.
        CASE WHEN by_month.currency = :into_currency THEN 1.0 ELSE rates.rate END AS rate,
        CASE WHEN by_month.currency <> :into_currency THEN rates.valid_from END AS rate_from
    FROM by_month
    JOIN month_ends ON month_ends.month = by_month.month
    LEFT JOIN rates
        ON rates.currency = by_month.currency
        AND rates.valid_from <= month_ends.last_day
        AND coalesce(rates.valid_until, '9999-12-31') > month_ends.last_day
)

SELECT
    environment,
    bundle_id,
    month,
    product_id,
    storefront,
    currency,
    price_source,
    sales,
    CASE WHEN price_source <> 'none' THEN gross END AS gross_milliunits,
    refunds,
    CASE WHEN price_source <> 'none' THEN refunded END AS refunded_milliunits,
    CASE WHEN price_source <> 'none' THEN gross - refunded END AS net_milliunits,
    partial_refunds,
    CASE WHEN price_source <> 'none' THEN partial END AS partial_milliunits,
    free_purchases,
    upgraded_sales,
    CASE WHEN price_source <> 'none' THEN upgraded END AS upgraded_milliunits,
    introductory_sales,
    CASE WHEN price_source <> 'none' THEN introductory END AS introductory_milliunits,
    promotional_sales,
    CASE WHEN price_source <> 'none' THEN promotional END AS promotional_milliunits,
    offer_code_sales,
    CASE WHEN price_source <> 'none' THEN offer_code END AS offer_code_milliunits,
    win_back_sales,
    CASE WHEN price_source <> 'none' THEN win_back END AS win_back_milliunits,
    CASE WHEN rate IS NOT NULL THEN :into_currency END AS into_currency,
    rate,
    rate_from,
    CASE WHEN price_source <> 'none' THEN CAST(floor(gross * rate + 0.5) AS BIGINT) END AS gross_converted,
    CASE WHEN price_source <> 'none' THEN CAST(floor(refunded * rate + 0.5) AS BIGINT) END AS refunded_converted,
    CASE
        WHEN price_source <> 'none'
            THEN CAST(floor(gross * rate + 0.5) AS BIGINT) - CAST(floor(refunded * rate + 0.5) AS BIGINT)
    END AS net_converted
FROM converted
ORDER BY 1, 2, 3, 4, 5, 6, 7;
