-- customer-value: What customers are worth, by cohort and age
-- What has a customer paid after so many months, by the month of the first transaction?
--
-- Grain: one row per environment, bundle_id, cohort, age, currency, price_source
-- Aliases: ltv, clv, realized-ltv, cohort-explorer
--
-- Parameters:
--   :ages  integer(0..120)  12  maximum age that is shown, in months since the first transaction
--   :proceeds  integer(0..1)  0  1: also show proceeds, computed by the rate card; --proceeds does the same
--
-- Columns:
--   environment          text     environment of the purchases
--   bundle_id            text     bundle identifier of the app
--   cohort               month    month of the customers' first transaction, free trials included
--   age                  integer  months since each customer's first transaction; 0 is the first month
--   currency             text     currency of the amounts (ISO 4217); (none) if no price is known
--   price_source         text     signed: a signed transaction states the price; list: from your price list; none: no
--                                 price is known
--   customers            integer(customers)  all customers of the cohort, in all currencies together
--   paying_customers     integer(customers)  of the customers, those who ever paid
--   net                  money(currency)  amount paid up to the end of this age, less refunds; empty until all
--                                         customers of the cohort have completed this age
--   per_customer         money(currency)  net ÷ customers
--   per_customer_known   money(currency)  sum over the ages so far: net of the age ÷ customers of whom it is known to
--                                         the end of that age what they paid
--   per_paying_customer  money(currency)  net ÷ paying_customers
--   mature_on            date     day from which net and its quotients are shown: all customers of the cohort have
--                                 completed this age
--   proceeds             money(currency)  what you get of net, after tax and the store's commission, as in the report
--                                         proceeds; empty if unknown
--   proceeds_basis       text     how proceeds are known: stated: all by detailed finance reports; estimate: at least
--                                 in part by the rate card; incomplete: unknown for some sales or refunds; empty:
--                                 unknown for all
--   proceeds_per_customer  money(currency)  proceeds ÷ customers
--
-- Optional: proceeds, proceeds_basis, proceeds_per_customer
-- Shown: bundle_id, cohort, age, currency, customers, paying_customers, net, per_customer, per_customer_known
-- Triangle: rows=cohort columns=age value=per_customer
-- Chart: heat  x=age  y=per_customer  series=cohort  n=customers
--
-- Notes:
--   A customer is an account of one app; if no account is known, an app transaction, a token or a device. A customer
--   who pays in several currencies is one customer. Each currency's row divides by all customers of the cohort, so that
--   the rows of a cohort add up.
--   Unknown payments of a customer count as nothing in per_customer, which is therefore a lower bound. A cohort that
--   paid nothing has rows with 0 in the currency of its free transactions, or (none) if none is stated.
--
-- Example:
--   receiptmill report customer-value --database mill.sqlite from=all ages=24

WITH spent AS (
    SELECT
        value.app_id, value.cohort_month, value.age, coalesce(rates.into_currency, value.currency) AS currency,
        value.price_source,
        sum(CASE WHEN rates.rate IS NULL THEN value.net_milliunits ELSE 0 END) AS net,
        coalesce(sum(value.net_milliunits * rates.rate), 0.0) AS net_converted,
        max(CASE WHEN value.sales > 0 OR value.net_milliunits <> 0 THEN 1 ELSE 0 END) AS is_paid
    FROM apps
    JOIN model_customer_value AS value ON value.app_id = apps.app_id
    JOIN months ON months.month_number = value.cohort_month
    LEFT JOIN rates ON rates.currency = value.currency AND rates.day_number = value.day_number
    WHERE value.age <= coalesce(CAST(:ages AS BIGINT), 12)
    GROUP BY 1, 2, 3, 4, 5
),

earned AS (
    SELECT
        earning.app_id, customer.cohort_month,
        -- Ages are counted as in model_customer_value.
        CASE
            WHEN day.month_number <= customer.own_month THEN 0
            ELSE day.month_number - customer.own_month - CASE WHEN day.own_day < customer.own_day THEN 1 ELSE 0 END
        END AS age,
        coalesce(rates.into_currency, earning.currency) AS currency, earning.price_source,
        sum(earning.proceeds_milliunits * coalesce(rates.rate, 1.0)) AS proceeds,
        min(CASE earning.basis WHEN 'stated' THEN 1 WHEN 'estimate' THEN 2 ELSE 3 END) AS minimum_doubt,
        max(CASE earning.basis WHEN 'stated' THEN 1 WHEN 'estimate' THEN 2 ELSE 3 END) AS doubt
    FROM apps
    JOIN internal_earnings AS earning ON earning.app_id = apps.app_id
    JOIN model_customers AS customer ON customer.customer_id = earning.customer_id
    JOIN model_days AS day
        ON day.day_number = CAST((earning.event_ms + 3600000 - (earning.event_ms + 3600000) % 86400000) / 86400000 AS BIGINT)
    LEFT JOIN rates ON rates.currency = earning.currency AND rates.day_number = earning.day_number
    WHERE CAST(:proceeds AS BIGINT) = 1
    GROUP BY 1, 2, 3, 4, 5
),

sizes AS (
    SELECT cohort.app_id, cohort.cohort_month, sum(cohort.customers) AS customers, sum(cohort.paying_customers) AS paying_customers
    FROM apps
    JOIN internal_cohorts AS cohort ON cohort.app_id = apps.app_id
    JOIN months ON months.month_number = cohort.cohort_month
    GROUP BY cohort.app_id, cohort.cohort_month
),

-- Free transactions have rows only if the whole cohort paid nothing.
series AS (
    SELECT app_id, cohort_month, currency, price_source, is_paid
    FROM (
        SELECT
            app_id, cohort_month, currency, price_source, max(is_paid) AS is_paid,
            max(max(is_paid)) OVER (PARTITION BY app_id, cohort_month) AS is_cohort_paid
        FROM spent
        GROUP BY app_id, cohort_month, currency, price_source
    ) AS told
    WHERE is_paid = is_cohort_paid
),

cells AS (
    SELECT
        series.app_id, series.cohort_month, series.currency, series.price_source, sizes.customers,
        sizes.paying_customers,
        -- The rows of model_months serve as the list of ages: number 24096 is January 2008.
        ages.month_number - 24096 AS age, mature.last_day,
        CASE WHEN mature.ends_ms <= apps.horizon_ms + 1000 THEN 1 ELSE 0 END AS is_mature,
        CASE WHEN series.price_source = 'none' AND series.is_paid = 1 THEN 0 ELSE 1 END AS is_priced
    FROM series
    JOIN apps ON apps.app_id = series.app_id
    JOIN sizes ON sizes.app_id = series.app_id AND sizes.cohort_month = series.cohort_month
    JOIN model_months AS ages ON ages.month_number <= 24096 + coalesce(CAST(:ages AS BIGINT), 12)
    LEFT JOIN model_months AS mature ON mature.month_number = series.cohort_month + ages.month_number - 24096 + 1
),

lost AS (
    SELECT cells.app_id, cells.cohort_month, cells.currency, cells.price_source, cells.age, sum(cohort.customers) AS customers
    FROM cells
    JOIN internal_cohorts AS cohort ON cohort.app_id = cells.app_id AND cohort.cohort_month = cells.cohort_month
        AND cohort.unknown_from_age <= cells.age
    GROUP BY cells.app_id, cells.cohort_month, cells.currency, cells.price_source, cells.age
),

running AS (
    SELECT
        cells.*,
        sum(coalesce(spent.net, 0)) OVER so_far
            + CAST(floor(sum(coalesce(spent.net_converted, 0.0)) OVER so_far + 0.5) AS BIGINT) AS net,
        sum(CASE
            WHEN cells.customers > coalesce(lost.customers, 0)
                THEN (coalesce(spent.net, 0) + coalesce(spent.net_converted, 0.0)) / (cells.customers - coalesce(lost.customers, 0))
            ELSE 0.0
        END) OVER so_far AS net_known,
        CAST(floor(sum(earned.proceeds) OVER so_far + 0.5) AS BIGINT) AS proceeds,
        min(earned.minimum_doubt) OVER so_far AS minimum_doubt, max(earned.doubt) OVER so_far AS doubt
    FROM cells
    LEFT JOIN earned ON earned.app_id = cells.app_id AND earned.cohort_month = cells.cohort_month
        AND earned.currency = cells.currency AND earned.price_source = cells.price_source AND earned.age = cells.age
    LEFT JOIN spent ON spent.app_id = cells.app_id AND spent.cohort_month = cells.cohort_month
        AND spent.currency = cells.currency AND spent.price_source = cells.price_source
        AND spent.age = cells.age
    LEFT JOIN lost ON lost.app_id = cells.app_id AND lost.cohort_month = cells.cohort_month AND lost.currency = cells.currency
        AND lost.price_source = cells.price_source AND lost.age = cells.age
    WINDOW so_far AS (
        PARTITION BY cells.app_id, cells.cohort_month, cells.currency, cells.price_source ORDER BY cells.age
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
)

SELECT
    apps.environment, apps.bundle_id, month.month AS cohort, running.age, running.currency, running.price_source,
    running.customers, running.paying_customers,
    CASE WHEN is_mature * is_priced = 1 THEN running.net END AS net,
    CASE WHEN is_mature * is_priced = 1 THEN CAST(floor(CAST(running.net AS DOUBLE) / running.customers / 10 + 0.5) AS BIGINT) * 10 END
        AS per_customer,
    -- 0.500001 makes up for the inexact floating-point sum, so that an exact half is rounded up.
    CASE WHEN is_mature * is_priced = 1 THEN CAST(floor(running.net_known / 10 + 0.500001) AS BIGINT) * 10 END AS per_customer_known,
    CASE
        WHEN is_mature * is_priced = 1 AND running.paying_customers > 0
            THEN CAST(floor(CAST(running.net AS DOUBLE) / running.paying_customers / 10 + 0.5) AS BIGINT) * 10
    END AS per_paying_customer,
    day.day AS mature_on,
    CASE WHEN is_mature = 1 THEN running.proceeds END AS proceeds,
    CASE
        WHEN is_mature = 0 THEN NULL
        WHEN running.doubt = 1 THEN 'stated'
        WHEN running.doubt = 2 THEN 'estimate'
        WHEN running.minimum_doubt < 3 THEN 'incomplete'
    END AS proceeds_basis,
    CASE WHEN is_mature = 1 THEN CAST(floor(CAST(running.proceeds AS DOUBLE) / running.customers / 10 + 0.5) AS BIGINT) * 10 END
        AS proceeds_per_customer
FROM running
JOIN apps ON apps.app_id = running.app_id
JOIN model_months AS month ON month.month_number = running.cohort_month
LEFT JOIN model_days AS day ON day.day_number = running.last_day + 1
ORDER BY 1, 2, 3, 5, 6, 4;
