-- subscription-churn: Paid subscriptions lost by month, and why
-- What share of the paying subscriptions is lost in each month, and for which reasons?
--
-- Grain: one row per environment, bundle_id, month
-- Aliases: churn, attrition, lapses, subscription-lapses, churn-causes, win-back
--
-- Columns:
--   environment      text     environment of the subscriptions
--   bundle_id        text     bundle identifier of the app
--   month            month    month in which access ended
--   active_at_start  integer(subscriptions)  subscriptions that were active when the month began: paid for, free after
--                                            a payment, or in a grace period
--   lapsed           integer(subscriptions)  of active_at_start, those that were lost in the month
--   unknown          integer(subscriptions)  of active_at_start, those whose access ended in the month, and of which no
--                                            document states what followed
--   churn            share    lapsed ÷ (active_at_start − unknown); empty until 60 days after the month, and while any
--                             payment is being retried
--   churn_low        share    minimum of churn: all unknown and retrying subscriptions were kept
--   churn_high       share    maximum of churn: the value if all unknown and retrying subscriptions were lost
--   voluntary        integer(subscriptions)  of the lapsed, those that the customer ended
--   billing          integer(subscriptions)  of the lapsed, those whose payment failed
--   price_increase   integer(subscriptions)  of the lapsed, those whose customer did not agree to a higher price
--   product_gone     integer(subscriptions)  of the lapsed, those whose product was removed
--   refund           integer(subscriptions)  of the lapsed, those whose period was refunded and revoked while it ran
--   cause_unknown    integer(subscriptions)  of the lapsed, those without a renewal info that states the cause
--   retrying         integer(subscriptions)  of active_at_start, those whose payment is being retried
--   lapsed_new       integer(subscriptions)  subscriptions lost in the month in which they were first paid, or paid
--                                            again; not included in lapsed
--   win_back_rate    share    share of the lapsed that paid again within 90 days; empty until 150 days after the month
--   mature_on        date     day from which churn is shown; 30 days later if the payment of a commitment is still
--                             being retried
--
-- Shown: bundle_id, month, active_at_start, lapsed, unknown, churn, churn_low, churn_high, voluntary, billing
-- Chart: lines  x=month  y=churn  n=active_at_start  series=bundle_id
--        area  x=month  y=voluntary,billing,price_increase,product_gone,refund,cause_unknown
--
-- Panel:
--   place     6
--   title     Paid churn by app
--   chart     lines  x=month  y=churn  series=bundle_id  n=active_at_start
--   missing   No subscription is known in these months.
--
-- Notes:
--   A lapse is dated at the end of access, including a grace period that a document states. It is final at once if the
--   customer ended the subscription or did not agree to a price, if the product was removed, or if the running period
--   was refunded. Otherwise it is final after the 60 days in which the store retries a payment, or 90 days for a
--   commitment billed by the month; until then the subscription is retrying. A customer who cancels within a commitment
--   is lost after its last payment.
--   Trials, upgrades and other changes of product or plan, and members' shares are no churn.
--   Subscriptions with an unknown fate are in neither part of the fraction. A subscription that is lost, returns and is
--   lost again within a month counts once in lapsed, and once in lapsed_new.
--
-- Example:
--   receiptmill report subscription-churn --database mill.sqlite bundle=com.example.club

WITH net AS (
    SELECT change.app_id, change.month_number, sum(change.change) AS subscriptions
    FROM apps
    JOIN model_active_changes AS change ON change.app_id = apps.app_id
    WHERE change.state = 'active'
    GROUP BY change.app_id, change.month_number
),

lost AS (
    SELECT
        lapse.app_id, lapse.month_number,
        sum(lapse.lapsed) AS lapsed, sum(lapse.lapsed_new) AS lapsed_new, sum(lapse.unknown) AS unknown,
        sum(lapse.retrying) AS retrying, sum(lapse.voluntary) AS voluntary, sum(lapse.billing) AS billing,
        sum(lapse.price_increase) AS price_increase, sum(lapse.product_gone) AS product_gone,
        sum(lapse.refund) AS refund, sum(lapse.cause_unknown) AS cause_unknown, sum(lapse.won_back) AS won_back
    FROM apps
    JOIN model_lapses AS lapse ON lapse.app_id = apps.app_id
    GROUP BY lapse.app_id, lapse.month_number
),

-- A subscription that is lost in its first month is not active at any month's end, so the months of losses count, too.
firsts AS (
    SELECT app_id, min(month_number) AS first_month
    FROM (SELECT app_id, month_number FROM net UNION ALL SELECT app_id, month_number FROM lost) AS either
    GROUP BY app_id
),

running AS (
    SELECT
        apps.app_id, apps.environment, apps.bundle_id, apps.horizon_ms, month.month_number, month.month, month.ends_ms,
        sum(coalesce(net.subscriptions, 0)) OVER (
            PARTITION BY apps.app_id ORDER BY month.month_number ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) - coalesce(net.subscriptions, 0) AS active_at_start
    FROM apps
    JOIN firsts ON firsts.app_id = apps.app_id
    JOIN model_months AS month ON month.month_number >= firsts.first_month AND month.month_number <= apps.complete_month
    LEFT JOIN net ON net.app_id = apps.app_id AND net.month_number = month.month_number
),

counted AS (
    SELECT
        running.environment, running.bundle_id, running.month, running.active_at_start,
        coalesce(lost.lapsed, 0) AS lapsed, coalesce(lost.unknown, 0) AS unknown, coalesce(lost.retrying, 0) AS retrying,
        coalesce(lost.lapsed_new, 0) AS lapsed_new, coalesce(lost.voluntary, 0) AS voluntary,
        coalesce(lost.billing, 0) AS billing, coalesce(lost.price_increase, 0) AS price_increase,
        coalesce(lost.product_gone, 0) AS product_gone, coalesce(lost.refund, 0) AS refund,
        coalesce(lost.cause_unknown, 0) AS cause_unknown, coalesce(lost.won_back, 0) AS won_back,
        CASE WHEN running.ends_ms + 5184000000 <= running.horizon_ms + 1000 THEN 1 ELSE 0 END AS is_over,
        CASE WHEN running.ends_ms + 12960000000 <= running.horizon_ms + 1000 THEN 1 ELSE 0 END AS is_won_back_mature,
        mature.day AS mature_on
    FROM running
    JOIN months ON months.month_number = running.month_number
    LEFT JOIN lost ON lost.app_id = running.app_id AND lost.month_number = running.month_number
    LEFT JOIN model_days AS mature
        ON mature.day_number = months.last_day + 1 + CASE
            WHEN lost.retrying > 0 AND running.ends_ms + 5184000000 <= running.horizon_ms + 1000 THEN 90 ELSE 60
        END
)

SELECT
    environment, bundle_id, month, active_at_start, lapsed, unknown,
    CASE WHEN is_over = 1 AND retrying = 0 AND active_at_start > unknown
        THEN round(CAST(lapsed AS DOUBLE) / (active_at_start - unknown), 4) END AS churn,
    round(CAST(lapsed AS DOUBLE) / nullif(active_at_start, 0), 4) AS churn_low,
    CASE WHEN active_at_start > 0 THEN round(CAST(lapsed + unknown + retrying AS DOUBLE) / active_at_start, 4) END AS churn_high,
    voluntary, billing, price_increase, product_gone, refund, cause_unknown, retrying, lapsed_new,
    CASE WHEN is_won_back_mature = 1 AND lapsed > 0 THEN round(CAST(won_back AS DOUBLE) / lapsed, 4) END AS win_back_rate,
    mature_on
FROM counted
ORDER BY 1, 2, 3;
