-- refunds-in-money: Refunds in money, and the sales they are a share of
-- How much was given back in a month, why, and how soon; and how much of a month's sales has been given back since?
--
-- Grain: one row per environment, bundle_id, month, product_id, storefront, currency, price_source
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all      bundle identifier of the app; or all
--   :from         month          2008-01  first month shown; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment             text     environment of the purchases
--   bundle_id               text     bundle identifier of the app
--   month                   month    month in UTC: of refunds that of the refund, of sales that of the purchase; with
--                                    :grain week the Monday of the week, with day the day
--   product_id              text     product bought
--   storefront              text     country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency                text     currency of the price (ISO 4217); (none) where there is no price
--   price_source            text     signed: the store signed the price; list: your list's price; none: no price
--   refunds                 integer  refunds dated in the month, of purchases that cost something or whose price nobody
--                                    knows
--   refunded_milliunits     integer(milliunits)  given back by these, in thousandths of the currency
--   app_issue_refunds       integer  of the refunds, those for an issue with the app (revocation_reason 1)
--   app_issue_milliunits    integer(milliunits)  given back by these
--   other_refunds           integer  of the refunds, those for another reason (revocation_reason 0)
--   other_milliunits        integer(milliunits)  given back by these
--   no_reason_refunds       integer  of the refunds, those whose reason is not told
--   no_reason_milliunits    integer(milliunits)  given back by these
--   full_type_refunds       integer  of the refunds, those told to be of type REFUND_FULL
--   prorated_type_refunds   integer  of the refunds, those told to be of type REFUND_PRORATED
--   partial_refunds         integer  of the refunds, those of a share below the whole
--   partial_milliunits      integer(milliunits)  given back by these
--   no_share_refunds        integer  of the refunds, those whose share is not told: the whole is taken
--   days_0_to_1             integer  of the refunds, those on the day of the purchase or the next, in UTC
--   days_2_to_7             integer  of the refunds, those 2 to 7 days after the day of the purchase
--   days_8_to_30            integer  of the refunds, those 8 to 30 days after it
--   days_31_up              integer  of the refunds, those 31 days or more after it
--   median_days             real(days)  median of the days from purchase to refund; null without refunds
--   sales                   integer  purchases made in the month of a price above 0 or unknown
--   gross_milliunits        integer(milliunits)  their prices
--   sales_refunded          integer  of these sales, those refunded since, in whatever month
--   sales_refunded_milliunits  integer(milliunits)  given back by these refunds
--   sales_refunded_share    share    sales_refunded_milliunits per gross_milliunits; null without gross
--
-- Chart: bars  x=month  y=refunded_milliunits  series=price_source
--
-- Notes:
--   The first half follows the money: refunds by the month in which they were made.
--   From sales on, rows follow the month's sales to their end, so that the numerator of
--   sales_refunded_share is part of its denominator. Recent months look better there than
--   they will turn out. Rows without refunds are shown, since rates over several months
--   need their sales.
--   Where the share of a refund is not told, as of receipts and of older signed data, the
--   whole is taken: the money is an upper bound. A refund that was reversed is none. A
--   receipt shows a refund only if it was refreshed afterwards.
--   Cancellations by upgrades, of family members' shares and of what cost nothing are no
--   refunds. Reason, type and share are of signed data alone.
--
-- Example:
--   receiptmill report refunds-in-money --database mill.sqlite --param from=2025-01

WITH days AS (
    -- Grouped, so that SQLite finds a day by an index.
    SELECT day_number, max(period_number) AS period_number, max(period) AS period
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
        AND substr(period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    GROUP BY day_number
),

periods AS (
    SELECT period_number, max(period) AS month FROM days GROUP BY period_number
),

counted AS (
    SELECT
        sold.app_number,
        sold.product_number,
        sold.storefront,
        sold.currency,
        sold.price_source,
        sold.purchase_day,
        sold.refund_day,
        sold.price_milliunits,
        sold.refunded_milliunits,
        sold.is_refunded_in_part,
        sold.revocation_reason,
        sold.revocation_type,
        sold.is_share_told,
        sold.purchases
    FROM daily_sales_by_number AS sold
    JOIN app_names ON app_names.app_number = sold.app_number
    WHERE sold.sale <> 'free'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
),

sold AS (
    SELECT
        counted.app_number,
        days.period_number,
        counted.product_number,
        counted.storefront,
        counted.currency,
        counted.price_source,
        sum(counted.purchases) AS sales,
        sum(counted.purchases * counted.price_milliunits) AS gross,
        sum(CASE WHEN counted.refund_day IS NULL THEN 0 ELSE counted.purchases END) AS sales_refunded,
        sum(counted.purchases * counted.refunded_milliunits) AS sales_refunded_milliunits
    FROM counted
    CROSS JOIN days
    WHERE days.day_number = counted.purchase_day
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 2, 3, 4, 5, 6, 1
),

refunded AS (
    SELECT
        counted.*,
        days.period_number,
        counted.refund_day - counted.purchase_day AS days,
        sum(counted.purchases) OVER (
            PARTITION BY
                days.period_number,
                counted.product_number,
                counted.storefront,
                counted.currency,
                counted.price_source,
                counted.app_number
            ORDER BY counted.refund_day - counted.purchase_day
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS last_place,
        sum(counted.purchases) OVER (
            PARTITION BY
                days.period_number,
                counted.product_number,
                counted.storefront,
                counted.currency,
                counted.price_source,
                counted.app_number
        ) AS places
    FROM counted
    CROSS JOIN days
    WHERE days.day_number = counted.refund_day
),

by_month AS (
    SELECT
        app_number,
        period_number,
        product_number,
        storefront,
        currency,
        price_source,
        sum(purchases) AS refunds,
        sum(purchases * refunded_milliunits) AS refunded,
        sum(CASE WHEN revocation_reason = 1 THEN purchases ELSE 0 END) AS app_issue_refunds,
        sum(CASE WHEN revocation_reason = 1 THEN purchases * refunded_milliunits ELSE 0 END) AS app_issue,
        sum(CASE WHEN revocation_reason <> 1 THEN purchases ELSE 0 END) AS other_refunds,
        sum(CASE WHEN revocation_reason <> 1 THEN purchases * refunded_milliunits ELSE 0 END) AS other,
        sum(CASE WHEN revocation_reason IS NULL THEN purchases ELSE 0 END) AS no_reason_refunds,
        sum(CASE WHEN revocation_reason IS NULL THEN purchases * refunded_milliunits ELSE 0 END) AS no_reason,
        sum(CASE WHEN revocation_type = 'REFUND_FULL' THEN purchases ELSE 0 END) AS full_type_refunds,
        sum(CASE WHEN revocation_type = 'REFUND_PRORATED' THEN purchases ELSE 0 END) AS prorated_type_refunds,
        sum(purchases * is_refunded_in_part) AS partial_refunds,
        sum(purchases * is_refunded_in_part * refunded_milliunits) AS partial,
        sum(CASE WHEN is_share_told = 0 THEN purchases ELSE 0 END) AS no_share_refunds,
        sum(CASE WHEN days <= 1 THEN purchases ELSE 0 END) AS days_0_to_1,
        sum(CASE WHEN days BETWEEN 2 AND 7 THEN purchases ELSE 0 END) AS days_2_to_7,
        sum(CASE WHEN days BETWEEN 8 AND 30 THEN purchases ELSE 0 END) AS days_8_to_30,
        sum(CASE WHEN days > 30 THEN purchases ELSE 0 END) AS days_31_up,
        -- The mean of those in the two middle places, which are one where the places are odd.
        sum(
            CAST(days AS DOUBLE) / 2 * (
                CASE WHEN 2 * last_place >= places AND 2 * (last_place - purchases) < places THEN 1 ELSE 0 END
                + CASE WHEN 2 * last_place > places AND 2 * (last_place - purchases) <= places THEN 1 ELSE 0 END)
        ) AS median_days
    FROM refunded
    GROUP BY period_number, product_number, storefront, currency, price_source, app_number
),

merged AS (
    SELECT
        app_number, period_number, product_number, storefront, currency, price_source,
        0 AS refunds, 0 AS refunded,
        0 AS app_issue_refunds, 0 AS app_issue,
        0 AS other_refunds, 0 AS other,
        0 AS no_reason_refunds, 0 AS no_reason,
        0 AS full_type_refunds, 0 AS prorated_type_refunds,
        0 AS partial_refunds, 0 AS partial, 0 AS no_share_refunds,
        0 AS days_0_to_1, 0 AS days_2_to_7, 0 AS days_8_to_30, 0 AS days_31_up,
        CAST(NULL AS DOUBLE) AS median_days,
        sales, gross, sales_refunded, sales_refunded_milliunits
    FROM sold
    UNION ALL
    SELECT
        app_number, period_number, product_number, storefront, currency, price_source,
        refunds, refunded,
        app_issue_refunds, app_issue,
        other_refunds, other,
        no_reason_refunds, no_reason,
        full_type_refunds, prorated_type_refunds,
        partial_refunds, partial, no_share_refunds,
        days_0_to_1, days_2_to_7, days_8_to_30, days_31_up,
        median_days,
        0, 0, 0, 0
    FROM by_month
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    month,
    coalesce(product_id, '(none)') AS product_id,
    coalesce(storefront, '(none)') AS storefront,
    coalesce(currency, '(none)') AS currency,
    price_source,
    sum(refunds) AS refunds,
    CASE WHEN price_source <> 'none' THEN sum(refunded) END AS refunded_milliunits,
    sum(app_issue_refunds) AS app_issue_refunds,
    CASE WHEN price_source <> 'none' THEN sum(app_issue) END AS app_issue_milliunits,
    sum(other_refunds) AS other_refunds,
    CASE WHEN price_source <> 'none' THEN sum(other) END AS other_milliunits,
    sum(no_reason_refunds) AS no_reason_refunds,
    CASE WHEN price_source <> 'none' THEN sum(no_reason) END AS no_reason_milliunits,
    sum(full_type_refunds) AS full_type_refunds,
    sum(prorated_type_refunds) AS prorated_type_refunds,
    sum(partial_refunds) AS partial_refunds,
    CASE WHEN price_source <> 'none' THEN sum(partial) END AS partial_milliunits,
    sum(no_share_refunds) AS no_share_refunds,
    sum(days_0_to_1) AS days_0_to_1,
    sum(days_2_to_7) AS days_2_to_7,
    sum(days_8_to_30) AS days_8_to_30,
    sum(days_31_up) AS days_31_up,
    max(median_days) AS median_days,
    sum(sales) AS sales,
    CASE WHEN price_source <> 'none' THEN sum(gross) END AS gross_milliunits,
    sum(sales_refunded) AS sales_refunded,
    CASE
        WHEN price_source <> 'none' THEN coalesce(sum(sales_refunded_milliunits), 0)
    END AS sales_refunded_milliunits,
    round(CAST(coalesce(sum(sales_refunded_milliunits), 0) AS DOUBLE) / nullif(sum(gross), 0), 4)
        AS sales_refunded_share
FROM merged
JOIN app_names ON app_names.app_number = merged.app_number
JOIN periods ON periods.period_number = merged.period_number
LEFT JOIN product_names ON product_names.product_number = merged.product_number
GROUP BY month, product_id, storefront, currency, price_source, bundle_id, environment
ORDER BY 1, 2, 3, 4, 5, 6, 7;
