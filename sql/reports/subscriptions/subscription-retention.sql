-- subscription-retention: Retention of subscriptions by cohort and period
-- Of the subscriptions whose first paid period began in a month, what share goes on to a second paid period, a third,
-- and so on?
--
-- Grain: one row per environment, bundle_id, product_id, cohort, period
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :periods      integer(0..400)   12                        last period shown; the first paid period is 0
--   :from         month             2008-01                   first cohort; a week belongs to the month of its Monday
--   :until        month(:from..)    9999-12                   last cohort, likewise
--   :grain  text(month, week, day)  month  what a cohort is: those of a month, of a week that begins on Monday, or of a
--                                          day
--   :grace_days   integer(0..3650)  16                        days after its end for which a subscription has to be
--                                                             known until it counts as lost
--   :as_of        date(2008-01-01..2040-12-31)  null  day as of whose end it is asked; the day of the newest document of
--                                                     each app and environment unless set
--
-- Columns:
--   environment  text                    environment of the subscriptions
--   bundle_id    text                    bundle identifier of the app
--   product_id   text                    product that the subscription began with
--   cohort       month                   month in which the first paid period began, in UTC; with :grain week the
--                                        Monday of the week, with day the day
--   period       integer                 renewals of the paid period: 0 is the first
--   known        integer(subscriptions)  at risk: those that paid for the period before and are known to have paid for
--                                        this one or to have been lost; all of the cohort in period 0
--   retained     integer(subscriptions)  of these, those that paid for the period
--   retention    share                   estimated share of the cohort that pays for the period (Kaplan–Meier): the
--                                        product of retained per known, up to this period
--   lost         integer(subscriptions)  of the known, those that did not pay for it
--   censored     integer(subscriptions)  of the retained, those of which no more is known: still running, in the grace,
--                                        or of unknown fate; they are not among the known of the next period
--   unknown      integer(subscriptions)  of the censored, those of unknown fate: over for longer than the grace, and
--                                        nothing made since tells of them
--   as_of        time                    the last second of the day asked
--
-- Chart: heat  x=period  y=retention  series=cohort  n=known
--
-- Notes:
--   Family members' shares are left out: the buyer's subscription counts once.
--   retention is an estimate with censored cases, after Kaplan and Meier: a subscription
--   counts in a period only if its fate there is known, lost per known is the hazard,
--   and what remains is multiplied up. It takes for granted that those of unknown fate
--   do as the others: owners who send nothing any more may well have left more often,
--   and apps without notifications look better than they are.
--   A subscription is lost once it is known for grace_days beyond its end, as in
--   subscription-churn; who comes back after that goes on counting as retained. Shares
--   of young cohorts rest on few subscriptions; known says on how many. A cohort's rows
--   end where none is known.
--   Periods are counted, not months: a yearly period is one. Introductory periods
--   count as paid, free trials do not. A period that was refunded counts as paid;
--   the reports on refunds tell of it. Copies that restores made count once. A day
--   after the newest document of an app counts as that document's.
--
-- Example:
--   receiptmill report subscription-retention --database mill.sqlite --param from=2024-01

WITH asked AS (
    -- Without a day, all that is known counts.
    SELECT coalesce(max(CASE WHEN day = :as_of THEN day_number END), 9999999) AS day_number FROM calendar
),

days AS (
    SELECT day_number, period_number, period AS cohort
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
        AND substr(period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
),

cohort_names AS (
    SELECT 4 * period_number AS place, max(cohort) AS cohort FROM days GROUP BY period_number
),

-- Grouped, so that SQLite finds an app by an index.
horizons AS (
    SELECT app_number, max(second) AS second, max(day_number) AS day_number FROM app_horizons GROUP BY app_number
),

-- As in subscription_stands, but counted by number, and the names joined behind.
standing AS (
    SELECT
        seen.environment,
        seen.bundle_id,
        product_names.product_id,
        cohort_names.cohort,
        CAST((counted.state - counted.state % 131072) / 131072 AS BIGINT) AS paid_periods,
        CASE WHEN counted.state % 4 >= 2 THEN 1 ELSE 0 END AS is_lost,
        CASE WHEN counted.state % 4 = 1 THEN 1 ELSE 0 END AS is_unknown,
        counted.subscriptions
    FROM (
        SELECT app_number, product_number, state, count(*) AS subscriptions
        FROM (
            SELECT
                stands.app_number,
                stands.product_number,
                -- Periods, cohort, whether it is lost, and whether the grace is over: one number sorts faster than four.
                (stands.paid_periods * 32768 + days.period_number) * 4
                + CASE
                    WHEN known.known_until_ms
                        >= 1000 * (stands.end_second + 86400 * coalesce(CAST(:grace_days AS BIGINT), 16)) THEN 2
                    ELSE 0
                END
                + CASE
                    WHEN horizons.second >= stands.end_second + 86400 * coalesce(CAST(:grace_days AS BIGINT), 16) THEN 1
                    ELSE 0
                END AS state
            FROM stands_by_number AS stands
            CROSS JOIN days
            CROSS JOIN horizons
            CROSS JOIN subscription_horizons AS known
            WHERE days.day_number = stands.first_paid_day
                AND horizons.app_number = stands.app_number
                AND horizons.day_number <= (SELECT day_number FROM asked)
                AND known.original_number = stands.original_number
                AND known.app_number = stands.app_number
        ) AS stood
        -- The keys that differ most come first, which makes the sort cheaper.
        GROUP BY state, product_number, app_number
    ) AS counted
    JOIN app_horizons AS seen ON seen.app_number = counted.app_number
    JOIN cohort_names ON cohort_names.place = counted.state % 131072 - counted.state % 4
    LEFT JOIN product_names ON product_names.product_number = counted.product_number
),

-- Where the day asked for is past, how subscriptions stood on it.
stood AS (
    SELECT environment, bundle_id, product_id, cohort, paid_periods, is_lost, is_unknown, subscriptions
    FROM standing
    UNION ALL
    SELECT
        environment,
        bundle_id,
        first_product_id,
        cohort,
        paid_periods,
        is_lost,
        CASE
            WHEN is_lost = 0
                AND (SELECT day_number FROM asked) - end_day >= coalesce(CAST(:grace_days AS BIGINT), 16) THEN 1
            ELSE 0
        END,
        1
    FROM (
        SELECT
            stands.*,
            days.cohort,
            CASE
                WHEN stands.days_known < coalesce(CAST(:grace_days AS BIGINT), 16) THEN 0
                WHEN (SELECT day_number FROM asked) - stands.end_day < coalesce(CAST(:grace_days AS BIGINT), 16) THEN 0
                ELSE 1
            END AS is_lost
        FROM subscription_cohorts AS stands
        JOIN days ON days.day_number = stands.first_paid_day
        WHERE :as_of IS NOT NULL
            AND stands.horizon_day > (SELECT day_number FROM asked)
            AND stands.start_day <= (SELECT day_number FROM asked)
            AND coalesce(stands.next_start_day, 9999999) > (SELECT day_number FROM asked)
    ) AS past
),

cohorts AS (
    SELECT
        coalesce(stood.environment, '(none)') AS environment,
        coalesce(stood.bundle_id, '(none)') AS bundle_id,
        coalesce(stood.product_id, '(none)') AS product_id,
        stood.cohort,
        stood.paid_periods,
        sum(stood.subscriptions) AS subscriptions,
        sum(CASE WHEN stood.is_lost = 1 THEN stood.subscriptions ELSE 0 END) AS lost,
        sum(CASE WHEN stood.is_unknown = 1 THEN stood.subscriptions ELSE 0 END) AS unknown
    FROM stood
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || stood.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', stood.bundle_id)
    GROUP BY 4, 5, 3, 2, 1
),

counted AS (
    SELECT
        cohorts.environment,
        cohorts.bundle_id,
        cohorts.product_id,
        cohorts.cohort,
        numbers.n AS period,
        sum(CASE WHEN cohorts.paid_periods > numbers.n THEN cohorts.subscriptions ELSE 0 END) AS retained,
        sum(CASE WHEN cohorts.paid_periods = numbers.n THEN cohorts.lost ELSE 0 END) AS lost,
        sum(
            CASE
                WHEN cohorts.paid_periods = numbers.n + 1 THEN cohorts.subscriptions - cohorts.lost
                ELSE 0
            END) AS censored,
        sum(CASE WHEN cohorts.paid_periods = numbers.n + 1 THEN cohorts.unknown ELSE 0 END) AS unknown
    FROM numbers
    CROSS JOIN cohorts
    WHERE numbers.n <= coalesce(CAST(:periods AS BIGINT), 12)
        AND (cohorts.paid_periods > numbers.n OR (cohorts.paid_periods = numbers.n AND cohorts.lost > 0))
    GROUP BY 4, 5, 3, 2, 1
),

-- The product as a sum of logarithms; nobody is left where one factor is 0.
survived AS (
    SELECT
        counted.*,
        min(retained) OVER (
            PARTITION BY environment, bundle_id, product_id, cohort ORDER BY period
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS least_retained,
        sum(CASE WHEN retained > 0 THEN ln(CAST(retained AS DOUBLE) / (retained + lost)) END) OVER (
            PARTITION BY environment, bundle_id, product_id, cohort ORDER BY period
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS log_retention
    FROM counted
)

SELECT
    survived.environment,
    survived.bundle_id,
    survived.product_id,
    survived.cohort,
    survived.period,
    survived.retained + survived.lost AS known,
    survived.retained,
    -- What logarithms lose in the last digits must not turn a half down.
    CASE WHEN survived.least_retained = 0 THEN 0.0 ELSE round(exp(survived.log_retention) + 0.000000001, 4) END
        AS retention,
    survived.lost,
    survived.censored,
    survived.unknown,
    CASE WHEN :as_of < clock.day THEN :as_of ELSE clock.day END || 'T23:59:59' || (SELECT suffix FROM zone_offset)
        AS as_of
FROM survived
JOIN app_horizons AS clock
    ON coalesce(clock.environment, '(none)') = survived.environment
    AND coalesce(clock.bundle_id, '(none)') = survived.bundle_id
ORDER BY 1, 2, 3, 4, 5;
