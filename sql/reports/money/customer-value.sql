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

bought AS (
    SELECT
        sold.app_number,
        sold.original_number,
        coalesce(sold.currency, '(none)') AS currency,
        sold.price_source,
        sold.sale,
        sold.purchase_day,
        sold.refund_day,
        sold.price_milliunits,
        sold.refunded_milliunits
    FROM sales_by_number AS sold
    JOIN app_names ON app_names.app_number = sold.app_number
    WHERE sold.sale <> 'family'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
),

-- Customers are looked up by original transaction, of which there are fewer than purchases.
owned AS (
    SELECT originals.*, customers.customer_number
    FROM (
        SELECT app_number, original_number, currency, min(purchase_day) AS first_day
        FROM bought
        GROUP BY original_number, app_number, currency
    ) AS originals
    JOIN customers_by_number AS customers
        ON customers.original_number = originals.original_number
        AND customers.app_number = originals.app_number
),

first AS (
    SELECT
        begun.app_number,
        begun.customer_number,
        calendar.month AS cohort,
        calendar.month_number AS cohort_number
    FROM (
        SELECT app_number, customer_number, min(first_day) AS first_day
        FROM owned
        GROUP BY customer_number, app_number
    ) AS begun
    JOIN days AS calendar ON calendar.day_number = begun.first_day
    WHERE substr(calendar.month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
),

member AS (
    SELECT owned.original_number, owned.currency, first.*
    FROM owned
    JOIN first
        ON first.customer_number = owned.customer_number
        AND first.app_number = owned.app_number
),

cohorts AS (
    SELECT app_number, cohort, cohort_number, currency, count(DISTINCT customer_number) AS customers
    FROM member
    GROUP BY currency, cohort, cohort_number, app_number
),

moved AS (
    SELECT
        app_number,
        original_number,
        currency,
        purchase_day AS day_number,
        1 AS sales,
        coalesce(price_milliunits, 0) AS gross,
        0 AS refunded,
        CASE WHEN price_source = 'list' THEN coalesce(price_milliunits, 0) ELSE 0 END AS listed
    FROM bought
    WHERE sale <> 'free'
    UNION ALL
    SELECT
        app_number,
        original_number,
        currency,
        refund_day,
        0,
        0,
        coalesce(refunded_milliunits, 0),
        CASE WHEN price_source = 'list' THEN -coalesce(refunded_milliunits, 0) ELSE 0 END
    FROM bought
    WHERE refund_day IS NOT NULL
),

by_age AS (
    SELECT
        member.app_number,
        member.cohort,
        moved.currency,
        calendar.month_number - member.cohort_number AS age,
        count(DISTINCT CASE WHEN moved.sales = 1 THEN member.customer_number END) AS buyers,
        sum(moved.sales) AS sales,
        sum(moved.gross) AS gross,
        sum(moved.refunded) AS refunded,
        sum(moved.listed) AS listed
    FROM moved
    JOIN member
        ON member.original_number = moved.original_number
        AND member.app_number = moved.app_number
        AND member.currency = moved.currency
    JOIN days AS calendar ON calendar.day_number = moved.day_number
    GROUP BY moved.currency, member.cohort, calendar.month_number - member.cohort_number, member.app_number
),

month_numbers AS (
    SELECT month_number, max(day_number) AS last_day_number
    FROM days
    GROUP BY month_number
),

ages AS (
    SELECT
        app_horizons.environment,
        app_horizons.bundle_id,
        cohorts.app_number,
        cohorts.cohort,
        cohorts.currency,
        cohorts.customers,
        month_numbers.month_number - cohorts.cohort_number AS age,
        CASE WHEN month_numbers.last_day_number < app_horizons.day_number THEN 1 ELSE 0 END AS is_complete
    FROM cohorts
    JOIN app_horizons ON app_horizons.app_number = cohorts.app_number
    JOIN days AS calendar ON calendar.day_number = app_horizons.day_number
    JOIN month_numbers
        ON month_numbers.month_number BETWEEN cohorts.cohort_number AND calendar.month_number
        AND month_numbers.month_number - cohorts.cohort_number <= coalesce(CAST(:ages AS BIGINT), 24)
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
        ON by_age.age = ages.age
        AND by_age.cohort = ages.cohort
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
