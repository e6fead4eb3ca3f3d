-- overview: Six figures of the business, month by month
-- How are recurring revenue, net revenue, subscriptions, churn, trials and refunds, and how were they before?
--
-- Grain: one row per place, month
-- Aliases: key-figures, headline, kpi
--
-- Parameters:
--   :into_currency  currency  null  currency of recurring_revenue and net_revenue, or none; unless set, the currency
--                                   that the database converts into
--
-- Columns:
--   place     integer  order of the figures, from 1
--   figure    text     recurring_revenue, net_revenue, active_subscriptions, paid_churn, trial_conversion, or
--                      refund_rate
--   month     month    one of the last 24 months that are over in every app with recent documents
--   amount    money(currency)  value of recurring_revenue and net_revenue, in currency; null for other figures
--   currency  text     currency of amount: :into_currency, else the one that the database converts into, else the one
--                      with most sales in these months
--   value     real     value of the other figures: a number of subscriptions, or a share
--   apps      integer(apps)  number of apps and environments that are included
--   other_currencies  integer(currencies)  for recurring_revenue and net_revenue: number of currencies whose amounts
--                                          are left out
--   other_share       share  for recurring_revenue: share of the month's paid subscriptions with a price that are in
--                            other currencies; for net_revenue: the same share of the month's sales with a price
--
-- Shown: figure, month, amount, currency, other_share, value, apps
-- Chart: lines  x=month  y=value  series=figure
--
-- Notes:
--   The definitions are those of the reports recurring-revenue, revenue, active-subscriptions, subscription-churn,
--   trial-conversion and refunds. Churn, conversion and refund rate are empty until they can be known. Amounts without
--   an exchange rate are left out; receiptmill refresh --rates stores rates. Apps whose documents end more than two
--   months before the newest document are left out, since their last months are unknown.
--
-- Example:
--   receiptmill report overview --database mill.sqlite bundle=com.example.club

WITH recent AS (
    SELECT apps.app_id, apps.horizon_ms, apps.complete_month
    FROM apps
    WHERE apps.complete_month >= (SELECT max(complete_month) FROM apps) - 2
),

span AS (
    SELECT min(complete_month) AS last_month, min(horizon_ms) AS horizon_ms, count(*) AS apps FROM recent
),

shown AS (
    SELECT month.month_number, month.month, month.ends_ms, month.last_day, span.horizon_ms, span.apps
    FROM model_months AS month
    JOIN span ON month.month_number > span.last_month - 24 AND month.month_number <= span.last_month
),

-- Rounded as in the reports of single apps, of which this is the sum.
sold AS (
    SELECT
        coalesce(rates.into_currency, sale.currency) AS currency, day.month_number, sum(sale.sales) AS sales,
        sum(CASE WHEN rates.rate IS NULL THEN sale.gross_milliunits - sale.refunded_milliunits ELSE 0 END)
            + CAST(floor(coalesce(sum(sale.gross_milliunits * rates.rate), 0.0) + 0.5) AS BIGINT)
            - CAST(floor(coalesce(sum(sale.refunded_milliunits * rates.rate), 0.0) + 0.5) AS BIGINT) AS net
    FROM recent
    JOIN model_daily_sales AS sale ON sale.app_id = recent.app_id
    JOIN model_days AS day ON day.day_number = sale.day_number
    JOIN shown ON shown.month_number = day.month_number
    LEFT JOIN rates ON rates.currency = sale.currency AND rates.day_number = sale.day_number
    WHERE sale.price_source <> 'none'
    GROUP BY 1, 2, sale.app_id, sale.price_source
),

chosen AS (
    SELECT coalesce(nullif(:into_currency, 'none'), (SELECT into_currency FROM rates LIMIT 1), currency) AS currency
    FROM (SELECT currency, row_number() OVER (ORDER BY sum(sales) DESC, currency) AS place FROM sold GROUP BY currency) AS ranked
    WHERE place = 1
),

moved AS (
    SELECT movement.app_id, movement.price_source, movement.currency, movement.month_number, sum(movement.milliunits) AS net
    FROM recent
    JOIN model_movements AS movement ON movement.app_id = recent.app_id
    WHERE movement.price_source <> 'none'
    GROUP BY 1, 2, 3, 4
),

-- Recurring revenue at a month's end, in its own currency and converted by the rate of that day.
summed AS (
    SELECT moved.app_id, moved.price_source, moved.currency, shown.month_number, shown.last_day, sum(moved.net) AS closing
    FROM shown
    JOIN moved ON moved.month_number <= shown.month_number
    GROUP BY 1, 2, 3, 4, 5
),

closed AS (
    SELECT
        summed.month_number, coalesce(rates.into_currency, summed.currency) AS currency,
        CAST(floor(sum(summed.closing * coalesce(rates.rate, 1.0)) + 0.5) AS BIGINT) AS closing
    FROM summed
    LEFT JOIN rates ON rates.currency = summed.currency AND rates.day_number = summed.last_day
    GROUP BY 1, 2, summed.app_id, summed.price_source
),

running AS (
    SELECT
        shown.month_number, sum(change.change) AS subscriptions,
        sum(CASE WHEN change.month_number = shown.month_number THEN 0 ELSE change.change END) AS at_start
    FROM shown
    JOIN recent ON 1 = 1
    JOIN model_active_changes AS change ON change.app_id = recent.app_id AND change.month_number <= shown.month_number
    WHERE change.state = 'active'
    GROUP BY shown.month_number
),

lost AS (
    SELECT lapse.month_number, sum(lapse.lapsed) AS lapsed, sum(lapse.unknown) AS unknown, sum(lapse.retrying) AS retrying
    FROM recent
    JOIN model_lapses AS lapse ON lapse.app_id = recent.app_id
    GROUP BY lapse.month_number
),

tried AS (
    SELECT
        trial.month_number, sum(trial.trials) AS trials,
        sum(CASE WHEN trial.paid_after_days <= 7 THEN trial.trials ELSE 0 END) AS converted,
        sum(CASE WHEN trial.paid_after_days = 99999 AND trial.known_days < 7 THEN trial.trials ELSE 0 END) AS unknown,
        max(trial.last_expires_ms) + 604800000 AS mature_ms
    FROM recent
    JOIN internal_trials AS trial ON trial.app_id = recent.app_id
    GROUP BY trial.month_number
),

bought AS (
    SELECT day.month_number, sum(sale.sales) AS sales
    FROM recent
    JOIN model_daily_sales AS sale ON sale.app_id = recent.app_id
    JOIN model_days AS day ON day.day_number = sale.day_number
    JOIN shown ON shown.month_number = day.month_number
    GROUP BY day.month_number
),

-- The share that is left out because of its currency, counted so that no exchange rate is needed.
subscribed AS (
    SELECT shown.month_number, shown.last_day, movement.currency, sum(movement.subscriptions) AS subscriptions
    FROM recent
    JOIN model_movements AS movement ON movement.app_id = recent.app_id
    JOIN shown ON shown.month_number >= movement.month_number
    WHERE movement.price_source <> 'none'
    GROUP BY 1, 2, 3
),

others AS (
    SELECT
        1 AS place, subscribed.month_number,
        sum(CASE WHEN coalesce(rates.into_currency, subscribed.currency) = chosen.currency THEN 0 ELSE subscribed.subscriptions END)
            AS left_out,
        sum(subscribed.subscriptions) AS counted
    FROM subscribed
    JOIN chosen ON 1 = 1
    LEFT JOIN rates ON rates.currency = subscribed.currency AND rates.day_number = subscribed.last_day
    GROUP BY subscribed.month_number
    UNION ALL
    SELECT 2, sold.month_number, sum(CASE WHEN sold.currency = chosen.currency THEN 0 ELSE sold.sales END), sum(sold.sales)
    FROM sold
    JOIN chosen ON 1 = 1
    GROUP BY sold.month_number
),

returned AS (
    SELECT day.month_number, sum(refund.refunds) AS refunds
    FROM recent
    JOIN internal_refunds AS refund ON refund.app_id = recent.app_id
    JOIN model_days AS day ON day.day_number = refund.sale_day
    WHERE refund.delay_days < 60
    GROUP BY day.month_number
),

figures AS (
    SELECT 1 AS place, 'recurring_revenue' AS figure, shown.month, shown.apps, coalesce(sum(closed.closing), 0) AS amount,
        CAST(NULL AS DOUBLE) AS value
    FROM shown
    JOIN chosen ON 1 = 1
    LEFT JOIN closed ON closed.currency = chosen.currency AND closed.month_number = shown.month_number
    GROUP BY shown.month, shown.apps
    UNION ALL
    SELECT 2, 'net_revenue', shown.month, shown.apps, coalesce(sum(sold.net), 0), NULL
    FROM shown
    JOIN chosen ON 1 = 1
    LEFT JOIN sold ON sold.currency = chosen.currency AND sold.month_number = shown.month_number
    GROUP BY shown.month, shown.apps
    UNION ALL
    SELECT 3, 'active_subscriptions', shown.month, shown.apps, NULL, CAST(running.subscriptions AS DOUBLE)
    FROM shown
    JOIN running ON running.month_number = shown.month_number
    UNION ALL
    SELECT 4, 'paid_churn', shown.month, shown.apps, NULL,
        CASE
            WHEN coalesce(lost.retrying, 0) > 0 THEN NULL
            WHEN shown.ends_ms + 5184000000 <= shown.horizon_ms + 1000 AND running.at_start > coalesce(lost.unknown, 0)
                THEN round(CAST(coalesce(lost.lapsed, 0) AS DOUBLE) / (running.at_start - coalesce(lost.unknown, 0)), 4)
        END
    FROM shown
    JOIN running ON running.month_number = shown.month_number
    LEFT JOIN lost ON lost.month_number = shown.month_number
    UNION ALL
    SELECT 5, 'trial_conversion', shown.month, shown.apps, NULL,
        CASE
            WHEN tried.mature_ms <= shown.horizon_ms AND tried.trials > tried.unknown
                THEN round(CAST(tried.converted AS DOUBLE) / (tried.trials - tried.unknown), 4)
        END
    FROM shown
    LEFT JOIN tried ON tried.month_number = shown.month_number
    UNION ALL
    SELECT 6, 'refund_rate', shown.month, shown.apps, NULL,
        CASE
            WHEN shown.ends_ms + 5184000000 <= shown.horizon_ms + 1000 AND bought.sales > 0
                THEN round(CAST(coalesce(returned.refunds, 0) AS DOUBLE) / bought.sales, 4)
        END
    FROM shown
    LEFT JOIN bought ON bought.month_number = shown.month_number
    LEFT JOIN returned ON returned.month_number = shown.month_number
)

SELECT
    figures.place, figures.figure, figures.month, figures.amount,
    CASE WHEN figures.place <= 2 THEN (SELECT currency FROM chosen) END AS currency,
    figures.value, figures.apps,
    CASE
        WHEN figures.place <= 2
            THEN (SELECT count(DISTINCT sold.currency) FROM sold JOIN chosen ON chosen.currency <> sold.currency)
    END AS other_currencies,
    round(CAST(others.left_out AS DOUBLE) / nullif(others.counted, 0), 4) AS other_share
FROM figures
JOIN shown ON shown.month = figures.month
LEFT JOIN others ON others.place = figures.place AND others.month_number = shown.month_number
ORDER BY 1, 3;
