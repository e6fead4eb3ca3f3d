-- customer-value: Revenue per customer by cohort and age
-- How much have customers paid, by the month of their first purchase and the months since then?
--
-- Grain: one row per environment, bundle_id, cohort, currency, age
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all      bundle identifier of the app; or all
--   :from         month          2008-01  first cohort shown; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last cohort shown, likewise
--   :grain  text(month, week, day)  month  what cohorts and ages count: months, weeks that begin on Monday, or days
--   :ages         integer(0..)   24       greatest age shown
--
-- Columns:
--   environment            text     environment of the purchases
--   bundle_id              text     bundle identifier of the app
--   cohort                 month    month of the customer's first purchase of the app, free ones included, in UTC;
--                                   with :grain week the Monday of the week, with day the day
--   currency               text     currency of the prices (ISO 4217); (none): purchases whose price nobody knows
--   age                    integer  whole calendar months since the cohort's; with :grain weeks or days
--   is_complete            integer  1: that month was over at the app's newest document; 0: it was not
--   customers              integer  customers of the cohort who ever bought in the currency, free purchases included
--   buyers                 integer  of these, those with a sale in the currency at this age
--   sales                  integer  their purchases at this age of a price above 0 or unknown
--   gross_milliunits       integer(milliunits)  the prices of these, in thousandths of the currency
--   refunded_milliunits    integer(milliunits)  given back at this age, whenever the purchase was
--   net_milliunits         integer(milliunits)  gross_milliunits less refunded_milliunits
--   cumulative_milliunits  integer(milliunits)  net_milliunits of all ages up to this one
--   list_milliunits        integer(milliunits)  of cumulative_milliunits, what is by a list's prices
--   per_customer_milliunits  integer(milliunits)  cumulative_milliunits per customer, to the nearest milliunit
--
-- Chart: heat  x=age  y=per_customer_milliunits  series=cohort  n=customers
--
-- Notes:
--   A purchase belongs to one customer: the account that presented one of its original
--   transaction first, else the app transaction, the account token or the device. Where
--   none of these is known, an original transaction counts as a customer of its own,
--   which makes customers too many and their value too low. See purchase_customers.
--   Ages whose month, week or day begins after the app's newest document have no row. An age whose
--   month is not over is not comparable with complete ones. An age of weeks is
--   that many Mondays later: whoever first bought on a Sunday has an age of 1 the next day.
--   A customer who bought in two currencies is one of the customers of both. A customer
--   whose prices are all unknown stands under (none) alone, and makes the value per
--   customer of the other rows too high if such customers paid less.
--   Prices are what customers paid, with taxes and the store's commission in them.
--   Family members' shares are no purchases, and members no customers.
--
-- Example:
--   receiptmill report customer-value --database mill.sqlite --param from=2025-01 --param ages=12

WITH days AS (
    SELECT day_number, period_number AS month_number, period AS month
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
),

months AS (
    SELECT month_number, month, max(day_number) AS last_day_number
    FROM days
    GROUP BY month_number, month
),

-- Those of months are kept, others are worked out.
paid AS (
    SELECT * FROM monthly_customer_value
    WHERE coalesce(:grain, 'month') = 'month'
    UNION ALL
    SELECT * FROM customer_value
    WHERE grain = coalesce(:grain, 'month')
        AND coalesce(:grain, 'month') <> 'month'
),

cohorts AS (
    SELECT
        app_names.environment,
        app_names.bundle_id,
        paid.app_number,
        paid.currency,
        paid.cohort_number,
        months.month AS cohort,
        sum(paid.customers) AS customers
    FROM paid
    JOIN app_names ON app_names.app_number = paid.app_number
    JOIN months ON months.month_number = paid.cohort_number
    WHERE paid.customers > 0
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
        AND substr(months.month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    GROUP BY paid.app_number, paid.currency, paid.cohort_number, months.month, app_names.environment, app_names.bundle_id
),

by_age AS (
    SELECT
        app_number,
        currency,
        cohort_number,
        period_number,
        sum(buyers) AS buyers,
        sum(sales) AS sales,
        sum(gross_milliunits) AS gross,
        sum(refunded_milliunits) AS refunded,
        sum(list_milliunits) AS listed
    FROM paid
    GROUP BY app_number, currency, cohort_number, period_number
),

ages AS (
    SELECT
        cohorts.*,
        months.month_number,
        months.month_number - cohorts.cohort_number AS age,
        CASE WHEN months.last_day_number < app_horizons.day_number THEN 1 ELSE 0 END AS is_complete
    FROM cohorts
    JOIN app_horizons ON app_horizons.app_number = cohorts.app_number
    JOIN days AS newest ON newest.day_number = app_horizons.day_number
    JOIN months
        ON months.month_number BETWEEN cohorts.cohort_number AND newest.month_number
        AND months.month_number - cohorts.cohort_number <= coalesce(CAST(:ages AS BIGINT), 24)
),

grown AS (
    SELECT
        ages.*,
        coalesce(by_age.buyers, 0) AS buyers,
        coalesce(by_age.sales, 0) AS sales,
        coalesce(by_age.gross, 0) AS gross,
        coalesce(by_age.refunded, 0) AS refunded,
        sum(coalesce(by_age.gross - by_age.refunded, 0)) OVER running AS cumulative,
        sum(coalesce(by_age.listed, 0)) OVER running AS listed
    FROM ages
    LEFT JOIN by_age
        ON by_age.period_number = ages.month_number
        AND by_age.cohort_number = ages.cohort_number
        AND by_age.currency = ages.currency
        AND by_age.app_number = ages.app_number
    WINDOW running AS (PARTITION BY ages.app_number, ages.cohort, ages.currency ORDER BY ages.age)
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    cohort,
    currency,
    age,
    is_complete,
    customers,
    buyers,
    sales,
    CASE WHEN currency <> '(none)' THEN gross END AS gross_milliunits,
    CASE WHEN currency <> '(none)' THEN refunded END AS refunded_milliunits,
    CASE WHEN currency <> '(none)' THEN gross - refunded END AS net_milliunits,
    CASE WHEN currency <> '(none)' THEN CAST(cumulative AS BIGINT) END AS cumulative_milliunits,
    CASE WHEN currency <> '(none)' THEN CAST(listed AS BIGINT) END AS list_milliunits,
    CASE
        WHEN currency <> '(none)' THEN CAST(floor(CAST(cumulative AS DOUBLE) / customers + 0.5) AS BIGINT)
    END AS per_customer_milliunits
FROM grown
ORDER BY 1, 2, 3, 4, 5;
