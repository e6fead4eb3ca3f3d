-- recurring-revenue: Monthly recurring revenue and what moved it
-- How much do the subscriptions that run at a month's end bring a month, and why does that change?
--
-- Grain: one row per environment, bundle_id, month, currency, price_source
-- Aliases: mrr, arr, run-rate, mrr-movement, nrr, quick-ratio, arpa, reactivation
--
-- Parameters:
--   :proceeds  integer(0..1)  0  1: also show proceeds, computed by the rate card; --proceeds does the same
--
-- Columns:
--   environment            text     environment of the subscriptions
--   bundle_id              text     bundle identifier of the app
--   month                  month    a month that was over at the app's newest document
--   currency               text     currency of the amounts (ISO 4217); (none) if no price is known
--   price_source           text     signed: a signed transaction states the price; list: from your price list; none: no
--                                   price is known
--   opening                money(currency)  recurring revenue at the end of the previous month
--   new                    money(currency)  recurring revenue from subscriptions that are paid for the first time
--   expansion              money(currency)  increase from subscriptions that were paid in the previous month, too
--   contraction            money(currency)  decrease from subscriptions that are still paid; negative
--   churn                  money(currency)  loss from subscriptions that lapsed, or whose payment is being retried;
--                                           negative
--   reactivation           money(currency)  recurring revenue from subscriptions that returned, or whose payment
--                                           succeeded late
--   unknown                money(currency)  loss from subscriptions that ended, if no document states whether they
--                                           continue; negative
--   moved_in               money(currency)  recurring revenue that was counted in another currency or price source
--                                           before
--   moved_out              money(currency)  recurring revenue that is counted in another currency or price source now;
--                                           negative
--   closing                money(currency)  recurring revenue (MRR) at the month's last second
--   arr                    money(currency)  12 × closing
--   subscriptions          integer(subscriptions)  paid subscriptions at the month's last second
--   gross_mrr_churn        share    (churn + contraction) ÷ (opening − unknown)
--   net_mrr_churn          share    (churn + contraction − expansion − reactivation) ÷ (opening − unknown)
--   net_mrr_retention      share    1 − net_mrr_churn
--   quick_ratio            real     (new + expansion + reactivation) ÷ (churn + contraction); empty if nothing was lost
--   customers              integer(customers)  customers with a paid subscription at the month's last second, in all
--                                              currencies together
--   arpa                   money(currency)  closing ÷ customers
--   proceeds               money(currency)  closing × your share of the price, after tax and commission, of the periods
--                                           that run at the month's end
--   proceeds_basis         text     how proceeds are known: stated: all shares by detailed finance reports; estimate:
--                                   at least in part by the rate card; incomplete: unknown for some periods; empty:
--                                   unknown for all
--
-- Optional: proceeds, proceeds_basis
-- Shown: bundle_id, month, currency, closing, opening, new, expansion, contraction, churn, reactivation, unknown
-- Chart: lines  x=month  y=closing  series=bundle_id
--
-- Panel:
--   place     1
--   title     Recurring revenue by app
--   chart     area  x=month  y=closing  series=bundle_id
--   missing   No subscription is known in these months.
--   place     2  movements
--   title     What moved recurring revenue
--   chart     flows  x=month  y=new,expansion,reactivation,contraction,churn,unknown  line=closing
--   missing   No subscription is known in these months.
--
-- Notes:
--   A period counts with its price per month: a week's price × 52/12, a year's price ÷ 12, by the length of the
--   transaction itself. It counts at each month's last second at which it is paid for, or is in a grace period that a
--   document states. A subscription whose renewal is turned off counts until its end.
--   Trials, free periods, retried payments and members' shares count 0. Seats that are added or refunded, and items
--   that are revoked, change the price within a period.
--   In the formulas of the columns, contraction, churn and unknown count without their sign. Ratios leave out what is
--   unknown. opening, new, expansion, contraction, churn, reactivation, unknown, moved_in and moved_out add up to
--   closing. With into_currency, each month's amounts are converted by the rate of the month's last day, so that
--   opening can differ from the previous month's closing. Rows begin with the first month at whose end a subscription
--   is paid for; the report subscription-churn has earlier months if subscriptions were lost in the month in which they
--   began.
--
-- Example:
--   receiptmill report recurring-revenue --database mill.sqlite bundle=com.example.club

WITH moved AS (
    SELECT
        movement.app_id, movement.month_number, movement.currency, movement.price_source,
        sum(CASE WHEN movement.movement = 'new' THEN movement.milliunits ELSE 0 END) AS new,
        sum(CASE WHEN movement.movement = 'expansion' THEN movement.milliunits ELSE 0 END) AS expansion,
        sum(CASE WHEN movement.movement = 'contraction' THEN movement.milliunits ELSE 0 END) AS contraction,
        sum(CASE WHEN movement.movement = 'churn' THEN movement.milliunits ELSE 0 END) AS churn,
        sum(CASE WHEN movement.movement = 'reactivation' THEN movement.milliunits ELSE 0 END) AS reactivation,
        sum(CASE WHEN movement.movement = 'unknown' THEN movement.milliunits ELSE 0 END) AS unknown,
        sum(CASE WHEN movement.movement = 'moved_in' THEN movement.milliunits ELSE 0 END) AS moved_in,
        sum(CASE WHEN movement.movement = 'moved_out' THEN movement.milliunits ELSE 0 END) AS moved_out,
        sum(movement.milliunits) AS net, sum(movement.subscriptions) AS net_subscriptions
    FROM apps
    JOIN model_movements AS movement ON movement.app_id = apps.app_id
    WHERE movement.month_number <= apps.complete_month
    GROUP BY movement.app_id, movement.month_number, movement.currency, movement.price_source
),

series AS (
    SELECT moved.app_id, moved.currency, moved.price_source, min(moved.month_number) AS first_month
    FROM moved
    GROUP BY moved.app_id, moved.currency, moved.price_source
),

-- Your share of the monthly prices of the periods that run at a month's end, by their prices at the start.
earned AS (
    SELECT
        period.app_id, months.month_number, coalesce(period.currency, '(none)') AS currency, period.price_source,
        sum(CASE WHEN earning.proceeds_milliunits IS NOT NULL THEN CAST(period.month_milliunits AS DOUBLE) END
            * earning.proceeds_milliunits / earning.milliunits)
        / sum(period.month_milliunits) AS share,
        min(CASE earning.basis WHEN 'stated' THEN 1 WHEN 'estimate' THEN 2 ELSE 3 END) AS minimum_doubt,
        max(CASE earning.basis WHEN 'stated' THEN 1 WHEN 'estimate' THEN 2 ELSE 3 END) AS doubt
    FROM apps
    JOIN internal_earnings AS earning ON earning.app_id = apps.app_id AND earning.is_refund = 0
    JOIN model_sales AS sale ON sale.purchase_id = earning.purchase_id
    JOIN model_periods AS period
        ON period.original_id = sale.original_id AND period.app_id = sale.app_id AND period.start_ms = sale.start_ms
        AND period.expires_ms = sale.expires_ms AND period.purchase_id = sale.purchase_id
    JOIN months ON months.month_number >= period.start_month AND months.month_number < coalesce(period.access_month, 999999)
    WHERE CAST(:proceeds AS BIGINT) = 1
        AND period.kind = 'paid'
    GROUP BY 1, 2, 3, 4
),

running AS (
    SELECT
        series.app_id, series.currency, series.price_source, month.month_number, month.month,
        coalesce(moved.new, 0) AS new, coalesce(moved.expansion, 0) AS expansion,
        coalesce(moved.contraction, 0) AS contraction, coalesce(moved.churn, 0) AS churn,
        coalesce(moved.reactivation, 0) AS reactivation, coalesce(moved.unknown, 0) AS unknown,
        coalesce(moved.moved_in, 0) AS moved_in, coalesce(moved.moved_out, 0) AS moved_out,
        coalesce(moved.net, 0) AS net, sum(coalesce(moved.net, 0)) OVER so_far AS closing,
        sum(coalesce(moved.net_subscriptions, 0)) OVER so_far AS subscriptions
    FROM series
    JOIN apps ON apps.app_id = series.app_id
    JOIN model_months AS month ON month.month_number >= series.first_month AND month.month_number <= apps.complete_month
    LEFT JOIN moved ON moved.app_id = series.app_id AND moved.month_number = month.month_number
        AND moved.currency = series.currency AND moved.price_source = series.price_source
    WINDOW so_far AS (
        PARTITION BY series.app_id, series.currency, series.price_source ORDER BY month.month_number
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),

converted AS (
    SELECT
        running.app_id, running.month_number, running.month, running.price_source,
        coalesce(rates.into_currency, running.currency) AS currency, running.subscriptions,
        CASE WHEN running.price_source <> 'none' THEN coalesce(rates.rate, 1.0) END AS rate,
        running.closing - running.net AS opening,
        running.new, running.expansion, running.contraction, running.churn, running.reactivation, running.unknown,
        running.moved_in, running.moved_out, running.closing, earned.share, earned.minimum_doubt, earned.doubt
    FROM running
    JOIN months ON months.month_number = running.month_number
    LEFT JOIN earned ON earned.app_id = running.app_id AND earned.month_number = running.month_number
        AND earned.currency = running.currency AND earned.price_source = running.price_source
    LEFT JOIN rates ON rates.currency = running.currency AND rates.day_number = months.last_day
),

-- Each value is the running sum, rounded once. A movement is the difference of two running sums, so that all movements
-- add up to the closing.
summed AS (
    SELECT
        app_id, month_number, month, currency, price_source,
        CAST(floor(sum(opening * rate) + 0.5) AS BIGINT) AS opening,
        CAST(floor(sum((opening + new) * rate) + 0.5) AS BIGINT) AS to_new,
        CAST(floor(sum((opening + new + expansion) * rate) + 0.5) AS BIGINT) AS to_expansion,
        CAST(floor(sum((opening + new + expansion + contraction) * rate) + 0.5) AS BIGINT) AS to_contraction,
        CAST(floor(sum((opening + new + expansion + contraction + churn) * rate) + 0.5) AS BIGINT) AS to_churn,
        CAST(floor(sum((closing - moved_out - moved_in - unknown) * rate) + 0.5) AS BIGINT) AS to_reactivation,
        CAST(floor(sum((closing - moved_out - moved_in) * rate) + 0.5) AS BIGINT) AS to_unknown,
        CAST(floor(sum((closing - moved_out) * rate) + 0.5) AS BIGINT) AS to_moved_in,
        CAST(floor(sum(closing * rate) + 0.5) AS BIGINT) AS closing, sum(subscriptions) AS subscriptions,
        CAST(floor(sum(closing * share * rate) + 0.5) AS BIGINT) AS proceeds, min(minimum_doubt) AS minimum_doubt, max(doubt) AS doubt
    FROM converted
    GROUP BY app_id, month_number, month, currency, price_source
),

parted AS (
    SELECT
        summed.*, to_new - opening AS new, to_expansion - to_new AS expansion, to_contraction - to_expansion AS contraction,
        to_churn - to_contraction AS churn, to_reactivation - to_churn AS reactivation, to_unknown - to_reactivation AS unknown,
        to_moved_in - to_unknown AS moved_in, closing - to_moved_in AS moved_out,
        CASE WHEN opening + to_unknown - to_reactivation > 0 THEN opening + to_unknown - to_reactivation END AS kept
    FROM summed
)

SELECT
    apps.environment, apps.bundle_id, parted.month, parted.currency, parted.price_source,
    opening, new, expansion, contraction, churn, reactivation, unknown, moved_in, moved_out, closing, 12 * closing AS arr,
    subscriptions,
    round(CAST(-(churn + contraction) AS DOUBLE) / kept, 4) AS gross_mrr_churn,
    round(CAST(-(churn + contraction + expansion + reactivation) AS DOUBLE) / kept, 4) AS net_mrr_churn,
    round(1 + CAST(churn + contraction + expansion + reactivation AS DOUBLE) / kept, 4) AS net_mrr_retention,
    CASE WHEN churn + contraction < 0 THEN round(CAST(new + expansion + reactivation AS DOUBLE) / -(churn + contraction), 4) END
        AS quick_ratio,
    subscribed.subscribed_customers AS customers,
    CAST(floor(CAST(closing AS DOUBLE) / nullif(subscribed.subscribed_customers, 0) / 10 + 0.5) AS BIGINT) * 10 AS arpa,
    parted.proceeds,
    CASE WHEN doubt = 1 THEN 'stated' WHEN doubt = 2 THEN 'estimate' WHEN minimum_doubt < 3 THEN 'incomplete' END AS proceeds_basis
FROM parted
JOIN apps ON apps.app_id = parted.app_id
JOIN internal_customer_months AS subscribed ON subscribed.app_id = parted.app_id AND subscribed.month_number = parted.month_number
ORDER BY 1, 2, 3, 4, 5;
