-- recurring-revenue: Recurring revenue by month: MRR, ARR and what moved them
-- What do running subscriptions bring by the month, and what was gained and lost since the month before?
--
-- Grain: one row per environment, bundle_id, month, currency, price_source
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all      bundle identifier of the app; or all
--   :from         month          2008-01  first month shown; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last month shown, likewise
--   :grain  text(month, week, day)  month  what a row closes with: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment                text                    environment of the subscriptions
--   bundle_id                  text                    bundle identifier of the app
--   month                      month                   month in UTC; closing is as of its last second; with :grain
--                                                      week the Monday of the week, with day the day
--   currency                   text                    currency of the prices (ISO 4217); (none) where there is no
--                                                      price
--   price_source               text                    signed: the store signed the price; list: your list's price;
--                                                      none: no price
--   opening_milliunits         integer(milliunits)     MRR at the end of the month before, in thousandths of the
--                                                      currency
--   new_milliunits             integer(milliunits)     of subscriptions that never counted before
--   expansion_milliunits       integer(milliunits)     by which subscriptions rose that counted the month before
--   contraction_milliunits     integer(milliunits)     by which others fell; 0 or negative
--   churn_milliunits           integer(milliunits)     of those that no longer count; 0 or negative
--   reactivation_milliunits    integer(milliunits)     of those that did not count the month before, but earlier
--   unknown_milliunits         integer(milliunits)     of those whose period is over, and of which nothing made since
--                                                      tells; 0 or negative
--   moved_in_milliunits        integer(milliunits)     of those that had another currency or price source the month
--                                                      before: what they are worth in this one
--   moved_out_milliunits       integer(milliunits)     of those that have another now: what they were worth in this
--                                                      one; 0 or negative
--   closing_milliunits         integer(milliunits)     MRR: opening and all movements, summed up
--   arr_milliunits             integer(milliunits)     ARR: 12 times closing_milliunits
--   grace_milliunits           integer(milliunits)     of the closing, that of subscriptions in their grace period
--   opening_subscriptions      integer(subscriptions)  subscriptions that counted at the end of the month before
--   new_subscriptions          integer(subscriptions)  that never counted before
--   expanded_subscriptions     integer(subscriptions)  that rose
--   contracted_subscriptions   integer(subscriptions)  that fell
--   churned_subscriptions      integer(subscriptions)  that no longer count
--   reactivated_subscriptions  integer(subscriptions)  that count again
--   unknown_subscriptions      integer(subscriptions)  of which nothing tells
--   moved_in_subscriptions     integer(subscriptions)  that came from another currency or price source
--   moved_out_subscriptions    integer(subscriptions)  that went to another
--   closing_subscriptions      integer(subscriptions)  that count: opening, new, reactivated and moved in, less
--                                                      churned, unknown and moved out
--   grace_subscriptions        integer(subscriptions)  of the closing, those in their grace period
--   unpriced_subscriptions     integer(subscriptions)  of the closing, those of no known price: all or none of a row
--
-- Chart: lines  x=month  y=closing_milliunits  series=price_source
--
-- Notes:
--   A subscription counts by the period that runs at the month's last second, at the price
--   paid for it, by the month: a yearly price / 12, a weekly one x 52 / 12, rounded once
--   for each subscription, half of a milliunit upwards. A month's opening is the closing of
--   the month before, to the milliunit. It is no cash: a yearly price is paid at once.
--   MRR is worth a month's revenue with :grain week and day, too: these ask how it stood
--   at the end of each week or day, and what moved it since the end of the one before.
--   Prices are what customers paid: taxes and the store's commission are in them. Never
--   add rows of different currencies.
--   Trials, other free periods, family members' shares and non-renewing subscriptions don't
--   count. A trial that turns into a paid period is new then. A free period amid paid ones
--   is a churn and a reactivation. Introductory and offer periods count at the offer's
--   price: one paid up front over the offer's length, others over the billing period.
--   A period ends with a refund, whole or in part, but months before it stay as they were.
--   Billing retry: a subscription counts through the grace period that the store told of,
--   at the price of the period before, and is churn once that is over. Without a grace
--   period it is churn at the end of the paid one, and a reactivation if billing succeeds
--   after a month's end. grace_milliunits can be taken off, where only paid time shall count.
--   Churn is known: a document made since says that nothing followed, or what followed
--   ended too. One that is unknown may still run. Movements compare months' ends: one that
--   lapses and comes back within a month did not move, nor one that came and went in it.
--   A subscription is its original transaction. One whose earlier periods no document
--   states is new when its first known one counts. Where a price source changes, because
--   the store signed a later price, it is moved, too.
--   Months end with the last that was over when the newest document of the app was made.
--
-- Example:
--   receiptmill report recurring-revenue --database mill.sqlite --param environment=Production --param from=2025-01

WITH days AS (
    SELECT day_number, period_number AS month_number, period AS month
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
),

months AS (
    SELECT DISTINCT month_number, month
    FROM days
),

-- The last month that was over: the one before that of the newest document.
complete AS (
    SELECT app_horizons.app_number, days.month_number - 1 AS month_number
    FROM app_horizons
    JOIN days ON days.day_number = app_horizons.day_number
),

-- Those from month to month are kept, others are worked out.
movements AS (
    SELECT app_number, month_number, currency, price_source, movement, until_second, subscriptions, milliunits
    FROM monthly_movements
    WHERE coalesce(:grain, 'month') = 'month'
    UNION ALL
    SELECT app_number, period_number, currency, price_source, movement, until_second, 1, milliunits
    FROM movements_by_number
    WHERE grain = coalesce(:grain, 'month')
        AND coalesce(:grain, 'month') <> 'month'
),

told AS (
    SELECT
        movements.app_number,
        movements.month_number,
        movements.currency,
        movements.price_source,
        CASE
            WHEN movements.movement <> 'gone' THEN movements.movement
            WHEN movements.until_second = 0 THEN 'churn'
            WHEN movements.until_second * 1000 <= newest.notified_ms THEN 'churn'
            ELSE 'unknown'
        END AS movement,
        movements.subscriptions,
        movements.milliunits
    FROM movements
    JOIN newest_documents AS newest ON newest.app_number = movements.app_number
    JOIN app_names ON app_names.app_number = movements.app_number
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
),

by_month AS (
    SELECT
        told.app_number,
        told.month_number,
        told.currency,
        told.price_source,
        sum(CASE WHEN movement = 'new' THEN milliunits ELSE 0 END) AS new_milliunits,
        sum(CASE WHEN movement = 'expansion' THEN milliunits ELSE 0 END) AS expansion_milliunits,
        sum(CASE WHEN movement = 'contraction' THEN milliunits ELSE 0 END) AS contraction_milliunits,
        sum(CASE WHEN movement = 'churn' THEN milliunits ELSE 0 END) AS churn_milliunits,
        sum(CASE WHEN movement = 'reactivation' THEN milliunits ELSE 0 END) AS reactivation_milliunits,
        sum(CASE WHEN movement = 'unknown' THEN milliunits ELSE 0 END) AS unknown_milliunits,
        sum(CASE WHEN movement = 'moved_in' THEN milliunits ELSE 0 END) AS moved_in_milliunits,
        sum(CASE WHEN movement = 'moved_out' THEN milliunits ELSE 0 END) AS moved_out_milliunits,
        sum(CASE WHEN movement = 'grace' THEN milliunits ELSE 0 END) AS grace_milliunits,
        sum(CASE WHEN movement <> 'grace' THEN milliunits ELSE 0 END) AS net_milliunits,
        sum(CASE WHEN movement = 'new' THEN subscriptions ELSE 0 END) AS new_subscriptions,
        sum(CASE WHEN movement = 'expansion' THEN subscriptions ELSE 0 END) AS expanded_subscriptions,
        sum(CASE WHEN movement = 'contraction' THEN subscriptions ELSE 0 END) AS contracted_subscriptions,
        sum(CASE WHEN movement = 'churn' THEN subscriptions ELSE 0 END) AS churned_subscriptions,
        sum(CASE WHEN movement = 'reactivation' THEN subscriptions ELSE 0 END) AS reactivated_subscriptions,
        sum(CASE WHEN movement = 'unknown' THEN subscriptions ELSE 0 END) AS unknown_subscriptions,
        sum(CASE WHEN movement = 'moved_in' THEN subscriptions ELSE 0 END) AS moved_in_subscriptions,
        sum(CASE WHEN movement = 'moved_out' THEN subscriptions ELSE 0 END) AS moved_out_subscriptions,
        sum(CASE WHEN movement = 'grace' THEN subscriptions ELSE 0 END) AS grace_subscriptions,
        sum(
            CASE
                WHEN movement IN ('new', 'reactivation', 'moved_in') THEN subscriptions
                WHEN movement IN ('churn', 'unknown', 'moved_out') THEN -subscriptions
                ELSE 0
            END
        ) AS net_subscriptions
    FROM told
    JOIN complete ON complete.app_number = told.app_number
    WHERE told.month_number <= complete.month_number
    GROUP BY 2, 3, 4, 1
),

-- Months in which nothing moved have their opening and closing, too.
series AS (
    SELECT
        by_month.app_number,
        by_month.currency,
        by_month.price_source,
        complete.month_number AS complete_month,
        min(by_month.month_number) AS first_month
    FROM by_month
    JOIN complete ON complete.app_number = by_month.app_number
    GROUP BY 1, 2, 3, 4
),

running AS (
    SELECT
        series.app_number,
        months.month,
        series.currency,
        series.price_source,
        coalesce(by_month.new_milliunits, 0) AS new_milliunits,
        coalesce(by_month.expansion_milliunits, 0) AS expansion_milliunits,
        coalesce(by_month.contraction_milliunits, 0) AS contraction_milliunits,
        coalesce(by_month.churn_milliunits, 0) AS churn_milliunits,
        coalesce(by_month.reactivation_milliunits, 0) AS reactivation_milliunits,
        coalesce(by_month.unknown_milliunits, 0) AS unknown_milliunits,
        coalesce(by_month.moved_in_milliunits, 0) AS moved_in_milliunits,
        coalesce(by_month.moved_out_milliunits, 0) AS moved_out_milliunits,
        coalesce(by_month.grace_milliunits, 0) AS grace_milliunits,
        coalesce(by_month.net_milliunits, 0) AS net_milliunits,
        sum(coalesce(by_month.net_milliunits, 0)) OVER series_months AS closing_milliunits,
        coalesce(by_month.new_subscriptions, 0) AS new_subscriptions,
        coalesce(by_month.expanded_subscriptions, 0) AS expanded_subscriptions,
        coalesce(by_month.contracted_subscriptions, 0) AS contracted_subscriptions,
        coalesce(by_month.churned_subscriptions, 0) AS churned_subscriptions,
        coalesce(by_month.reactivated_subscriptions, 0) AS reactivated_subscriptions,
        coalesce(by_month.unknown_subscriptions, 0) AS unknown_subscriptions,
        coalesce(by_month.moved_in_subscriptions, 0) AS moved_in_subscriptions,
        coalesce(by_month.moved_out_subscriptions, 0) AS moved_out_subscriptions,
        coalesce(by_month.grace_subscriptions, 0) AS grace_subscriptions,
        coalesce(by_month.net_subscriptions, 0) AS net_subscriptions,
        sum(coalesce(by_month.net_subscriptions, 0)) OVER series_months AS closing_subscriptions
    FROM series
    JOIN months ON months.month_number BETWEEN series.first_month AND series.complete_month
    LEFT JOIN by_month
        ON by_month.app_number = series.app_number
        AND by_month.month_number = months.month_number
        AND by_month.currency = series.currency
        AND by_month.price_source = series.price_source
    WINDOW series_months AS (
        PARTITION BY series.app_number, series.currency, series.price_source ORDER BY months.month_number
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)

SELECT
    coalesce(app_names.environment, '(none)') AS environment,
    coalesce(app_names.bundle_id, '(none)') AS bundle_id,
    month,
    currency,
    price_source,
    CASE WHEN price_source <> 'none' THEN closing_milliunits - net_milliunits END AS opening_milliunits,
    CASE WHEN price_source <> 'none' THEN new_milliunits END AS new_milliunits,
    CASE WHEN price_source <> 'none' THEN expansion_milliunits END AS expansion_milliunits,
    CASE WHEN price_source <> 'none' THEN contraction_milliunits END AS contraction_milliunits,
    CASE WHEN price_source <> 'none' THEN churn_milliunits END AS churn_milliunits,
    CASE WHEN price_source <> 'none' THEN reactivation_milliunits END AS reactivation_milliunits,
    CASE WHEN price_source <> 'none' THEN unknown_milliunits END AS unknown_milliunits,
    CASE WHEN price_source <> 'none' THEN moved_in_milliunits END AS moved_in_milliunits,
    CASE WHEN price_source <> 'none' THEN moved_out_milliunits END AS moved_out_milliunits,
    CASE WHEN price_source <> 'none' THEN closing_milliunits END AS closing_milliunits,
    CASE WHEN price_source <> 'none' THEN 12 * closing_milliunits END AS arr_milliunits,
    CASE WHEN price_source <> 'none' THEN grace_milliunits END AS grace_milliunits,
    closing_subscriptions - net_subscriptions AS opening_subscriptions,
    new_subscriptions,
    expanded_subscriptions,
    contracted_subscriptions,
    churned_subscriptions,
    reactivated_subscriptions,
    unknown_subscriptions,
    moved_in_subscriptions,
    moved_out_subscriptions,
    closing_subscriptions,
    grace_subscriptions,
    CASE WHEN price_source = 'none' THEN closing_subscriptions ELSE 0 END AS unpriced_subscriptions
FROM running
JOIN app_names ON app_names.app_number = running.app_number
WHERE substr(month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    AND (closing_subscriptions > 0 OR closing_subscriptions > net_subscriptions)
ORDER BY 1, 2, 3, 4, 5;
