-- revenue: Revenue by month: gross, refunded, net
-- What was paid, what was given back, and what is left?
--
-- Grain: one row per environment, bundle_id, month, product_id, storefront, offer, currency, price_source
-- Aliases: sales, gross, net, storefronts, offers
--
-- Parameters:
--   :by     texts(product, storefront, offer, app)  product  the dimensions by which a month is split into rows
--   :grain  text(month, week, day)  month  period of a row: a month, a week that begins on Monday, or a day
--   :proceeds  integer(0..1)  0  1: also show proceeds, computed by the rate card; --proceeds does the same
--
-- Columns:
--   environment    text     environment of the purchases
--   bundle_id      text     bundle identifier of the app
--   month          month    month of the purchase date of a sale, or of the day on which a refund was made; with :grain
--                           week, the Monday of the week, which belongs to the month of its Monday; with :grain day,
--                           the day
--   product_id     text     product bought; (all) unless :by names product
--   storefront     text     country of the store (ISO 3166, three letters); (all) unless :by names storefront
--   offer          text     kind of offer, or full; (all) unless :by names offer
--   currency       text     currency of the amounts (ISO 4217); (none) if no price is known
--   price_source   text     signed: a signed transaction states the price; list: from your price list; none: no price
--                           is known
--   sales          integer(sales)    purchases with a price above 0, or whose price is unknown
--   gross          money(currency)   amount charged for the sales
--   refunds        integer(refunds)  refunds made in the month, whenever the sale was
--   refunded       money(currency)   amount returned by the refunds
--   net            money(currency)   gross less refunded
--   change_credit  money(currency)   estimate of what the store returned for the rest of periods that a change of
--                                    product cut short
--   net_estimated  money(currency)   net − change_credit
--   free_sales     integer(sales)    purchases that cost nothing, such as free trials; not included in sales
--   is_complete    integer           1: the newest document of the app is later than the month, week or day; 0: it is
--                                    not over
--   proceeds       money(currency)   what you get of net after tax and the store's commission, before change_credit, as
--                                    in the report proceeds; empty if unknown
--   proceeds_basis  text    how proceeds are known: stated: all by detailed finance reports; estimate: at least in part
--                           by the rate card; incomplete: unknown for some sales or refunds; empty: unknown for all
--
-- Optional: proceeds, proceeds_basis
-- Shown: month, product_id, currency, net, storefront, offer, gross, refunded, sales, bundle_id
-- Total: sales, gross, refunds, refunded, net, change_credit, net_estimated, free_sales, proceeds
-- Chart: lines  x=month  y=net  series=product_id
--
-- Panel:
--   place     3
--   title     Net revenue by product
--   chart     bars  x=month  y=net  series=product_id
--   missing   No purchase is known in these months.
--
-- Notes:
--   Prices are what customers paid, including taxes and the store's commission, so revenue is no payout. A refund
--   belongs to the month in which it was made, not to the month of the sale, so a month's net can be negative. Receipts
--   and older signed data do not state which share was refunded; for these, the whole price counts.
--   Members' shares (family, assigned seats) are no sales, and the loss of such a share is no refund.
--   Seats are charged at the prices of their tiers. Only the number of refunded seats is stated, so their average price
--   counts; by=reason of the report refunds shows how much that is. Items of the Advanced Commerce API are refunded one
--   by one.
--   An upgrade is no refund. No document states what the store returned for the unused part, so change_credit estimates
--   it as price × unused time ÷ whole time.
--   Rows with price_source none count sales without a known price; the prices of a list are yours, not the store's. A
--   month without sales and refunds has a row, too, from the first month of its series on.
--
-- Example:
--   receiptmill report revenue --database mill.sqlite by=storefront,offer from=2025-01

WITH asked AS (SELECT ',' || replace(coalesce(:by, 'product'), ' ', '') || ',' AS names),

events AS (
    SELECT
        sale.app_id, first_day.month_number,
        CASE coalesce(:grain, 'month') WHEN 'month' THEN first_day.month ELSE first_day.day END AS period,
        CASE :grain WHEN 'day' THEN day.day_number WHEN 'week' THEN day.week_number + 6 END AS last_day,
        CASE WHEN instr(asked.names, ',product,') > 0 THEN sale.product_number END AS product_number,
        CASE WHEN instr(asked.names, ',storefront,') > 0 THEN sale.storefront ELSE '(all)' END AS storefront,
        CASE WHEN instr(asked.names, ',offer,') > 0 THEN sale.offer ELSE '(all)' END AS offer,
        coalesce(rates.into_currency, sale.currency) AS currency,
        rates.rate, sale.price_source, sale.sales, sale.refunds, sale.free_sales, sale.gross_milliunits AS gross,
        sale.refunded_milliunits AS refunded, sale.credit_milliunits AS change_credit, CAST(NULL AS BIGINT) AS proceeds,
        CAST(NULL AS BIGINT) AS doubt
    FROM apps
    CROSS JOIN asked
    JOIN model_daily_sales AS sale ON sale.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = sale.day_number
    -- A week belongs to the month of its Monday.
    JOIN model_days AS first_day ON first_day.day_number = CASE :grain WHEN 'week' THEN day.week_number ELSE day.day_number END
    JOIN months ON months.month_number = first_day.month_number
    LEFT JOIN rates ON rates.currency = sale.currency AND rates.day_number = sale.day_number
    UNION ALL
    SELECT
        earning.app_id, first_day.month_number,
        CASE coalesce(:grain, 'month') WHEN 'month' THEN first_day.month ELSE first_day.day END,
        CASE :grain WHEN 'day' THEN day.day_number WHEN 'week' THEN day.week_number + 6 END,
        CASE WHEN instr(asked.names, ',product,') > 0 THEN earning.product_number END,
        CASE WHEN instr(asked.names, ',storefront,') > 0 THEN earning.storefront ELSE '(all)' END,
        CASE WHEN instr(asked.names, ',offer,') > 0 THEN earning.offer ELSE '(all)' END,
        coalesce(rates.into_currency, earning.currency), rates.rate, earning.price_source, 0, 0, 0, 0, 0, 0,
        earning.proceeds_milliunits,
        CASE earning.basis WHEN 'stated' THEN 1 WHEN 'estimate' THEN 2 ELSE 3 END
    FROM apps
    CROSS JOIN asked
    JOIN internal_earnings AS earning ON earning.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = earning.day_number
    JOIN model_days AS first_day ON first_day.day_number = CASE :grain WHEN 'week' THEN day.week_number ELSE day.day_number END
    JOIN months ON months.month_number = first_day.month_number
    LEFT JOIN rates ON rates.currency = earning.currency AND rates.day_number = earning.day_number
    WHERE CAST(:proceeds AS BIGINT) = 1
),

summed AS (
    SELECT
        app_id, month_number, period, last_day, product_number, storefront, offer, currency, price_source,
        sum(sales) AS sales, sum(refunds) AS refunds, sum(free_sales) AS free_sales,
        sum(CASE WHEN rate IS NULL THEN gross ELSE 0 END) AS gross, coalesce(sum(gross * rate), 0.0) AS gross_converted,
        sum(CASE WHEN rate IS NULL THEN refunded ELSE 0 END) AS refunded, coalesce(sum(refunded * rate), 0.0) AS back_converted,
        sum(CASE WHEN rate IS NULL THEN change_credit ELSE 0 END) AS change_credit,
        coalesce(sum(change_credit * rate), 0.0) AS credit_converted,
        coalesce(sum(proceeds * coalesce(rate, 1.0)), 0.0) AS proceeds, count(proceeds) AS earnings,
        min(doubt) AS minimum_doubt, max(doubt) AS doubt
    FROM events
    GROUP BY app_id, month_number, period, last_day, product_number, storefront, offer, currency, price_source
),

-- Converted amounts are rounded as running sums, so that the rows of a month add up to the month's sum, regardless of
-- how they are grouped.
counted AS (
    SELECT
        app_id, month_number, period, last_day, summed.product_number, storefront, offer, currency, price_source, sales,
        gross + CAST(floor(sum(gross_converted) OVER so_far + 0.5) AS BIGINT)
            - CAST(floor(coalesce(sum(gross_converted) OVER earlier, 0.0) + 0.5) AS BIGINT) AS gross,
        refunds,
        refunded + CAST(floor(sum(back_converted) OVER so_far + 0.5) AS BIGINT)
            - CAST(floor(coalesce(sum(back_converted) OVER earlier, 0.0) + 0.5) AS BIGINT) AS refunded,
        change_credit + CAST(floor(sum(credit_converted) OVER so_far + 0.5) AS BIGINT)
            - CAST(floor(coalesce(sum(credit_converted) OVER earlier, 0.0) + 0.5) AS BIGINT) AS change_credit,
        free_sales,
        CASE WHEN earnings > 0 THEN CAST(floor(sum(proceeds) OVER so_far + 0.5) AS BIGINT)
            - CAST(floor(coalesce(sum(proceeds) OVER earlier, 0.0) + 0.5) AS BIGINT) END AS proceeds,
        minimum_doubt, doubt
    FROM summed
    LEFT JOIN product ON product.product_number = summed.product_number
    WINDOW so_far AS (PARTITION BY app_id, month_number, currency, price_source
            ORDER BY period, coalesce(product.product_id, ''), storefront, offer),
        earlier AS (PARTITION BY app_id, month_number, currency, price_source
            ORDER BY period, coalesce(product.product_id, ''), storefront, offer
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),

-- Each series with its first month, for the rows of months in which nothing happened.
series AS (
    SELECT app_id, product_number, storefront, offer, currency, price_source, min(month_number) AS first_month
    FROM counted
    GROUP BY app_id, product_number, storefront, offer, currency, price_source
),

quiet AS (
    SELECT
        series.app_id, months.month_number, months.month AS period, series.product_number, series.storefront, series.offer,
        series.currency, series.price_source
    FROM series
    JOIN apps ON apps.app_id = series.app_id
    JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
    WHERE coalesce(:grain, 'month') = 'month'
    EXCEPT
    SELECT app_id, month_number, period, product_number, storefront, offer, currency, price_source FROM counted
),

shown AS (
    SELECT * FROM counted
    UNION ALL
    SELECT
        app_id, month_number, period, NULL, product_number, storefront, offer, currency, price_source, 0, 0, 0, 0, 0, 0,
        NULL, NULL, NULL
    FROM quiet
)

SELECT
    apps.environment, apps.bundle_id, shown.period AS month,
    CASE WHEN instr(asked.names, ',product,') > 0 THEN coalesce(product.product_id, '(none)') ELSE '(all)' END AS product_id,
    shown.storefront, shown.offer, shown.currency, shown.price_source, shown.sales,
    CASE WHEN shown.price_source <> 'none' THEN shown.gross END AS gross,
    shown.refunds,
    CASE WHEN shown.price_source <> 'none' THEN shown.refunded END AS refunded,
    CASE WHEN shown.price_source <> 'none' THEN shown.gross - shown.refunded END AS net,
    CASE WHEN shown.price_source <> 'none' THEN shown.change_credit END AS change_credit,
    CASE WHEN shown.price_source <> 'none' THEN shown.gross - shown.refunded - shown.change_credit END AS net_estimated,
    shown.free_sales,
    CASE
        WHEN last_day.ends_ms <= apps.horizon_ms + 1000 THEN 1
        WHEN shown.last_day IS NULL AND shown.month_number <= apps.complete_month THEN 1
        ELSE 0
    END AS is_complete,
    CASE WHEN shown.doubt IS NULL AND shown.price_source <> 'none' THEN 0 ELSE shown.proceeds END AS proceeds,
    CASE WHEN shown.doubt = 1 THEN 'stated' WHEN shown.doubt = 2 THEN 'estimate' WHEN shown.minimum_doubt < 3 THEN 'incomplete' END
        AS proceeds_basis
FROM shown
CROSS JOIN asked
JOIN apps ON apps.app_id = shown.app_id
LEFT JOIN product ON product.product_number = shown.product_number
LEFT JOIN model_days AS last_day ON last_day.day_number = shown.last_day
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8;
