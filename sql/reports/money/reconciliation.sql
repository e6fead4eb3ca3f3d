-- reconciliation: The store's reports against the archive
-- Why do our sales and the store's own reports differ?
--
-- Grain: one row per period, bundle_id, product_id, country, currency, unit_price, class
-- Aliases: reconcile, store-differences
--
-- Parameters:
--   :report  text(sales, finance_detail, financial)  sales  the store's report: sales by day, settlements by
--                                                           transaction, or settlements by fiscal month
--   :by      text(month, day, fiscal_month)  month  period of a row; fiscal months are the store's, of which October is
--                                                   01
--   :class   text(all, agreed, differences, unexplained)  all  classes shown: all; agreed; differences: all others
--   :from    month_or_all          all  first month shown; with :by fiscal_month, the name of a fiscal month, such as
--                                       2026-07
--   :until   month_or_all(:from..)  all  last month shown, named as in :from
--
-- Columns:
--   period            text             the month, day or fiscal month
--   begins            date             first day of the period
--   ends              date             last day of the period
--   bundle_id         text             bundle identifier of the app; (none) if unknown
--   product_id        text             product; for downloads of an app, the app's SKU
--   country           text             country of the store (ISO 3166, two letters); (none) if unknown
--   currency          text             currency of the amounts (ISO 4217); (none) if unknown
--   unit_price        money(currency)  price of one unit; empty if unknown, or if amounts are converted
--   class             text             agreed, or why the store's report and our documents differ, as explained in the
--                                      notes
--   store_units       real(units)      units of the store's report, refunds subtracted
--   our_units         real(units)      units that documents state, refunds subtracted
--   difference_units  real(units)      store_units − our_units
--   store_gross       money(currency)  units times price in the store's report, refunds subtracted
--   our_gross         money(currency)  amount charged less amount refunded, by the prices of documents or of your price
--                                      list
--   difference        money(currency)  store_gross − our_gross
--
-- Shown: period, product_id, country, currency, unit_price, class, store_units, our_units, difference
-- Total: store_units, our_units, difference_units, store_gross, our_gross, difference
-- Chart: bars  x=period  y=difference_units  series=class
--
-- Notes:
--   The store's reports name no transactions. Therefore groups with the same day, product, country, currency and price
--   are compared, never single sales. Each unit of either side is in exactly one class, so that the store's columns add
--   up to its report, and ours to the sales in Production on the days of that report. Our days are those of the
--   database's time zone; the store's are Pacific days. Classes:
--   - agreed: both sides lie in the period shown and have the same units and amounts.
--   - rounding: for each unit sold, the amounts differ by at most half a cent (half of the currency's smallest unit).
--   - day_edge: our day is not the Pacific day of the same moment.
--   - settled_later: the store counts the units up to ten days later; in finance_detail, on their settlement date.
--   - billing_retry: the store counts the units on the day of the payment.
--   - refund_dated_elsewhere: the dates of a refund differ by at most 31 days.
--   - period_edge: a row of the store's report spans several periods, and counts in the one of its middle day.
--   - sandbox, family_assigned: the store has more units, and transactions of Sandbox or members' shares explain them.
--   - price_changed: the sides state different prices on the same days.
--   - price_unknown: no price or no country is known for our units.
--   - not_in_archive: no document states the units, such as downloads of the app.
--   - not_in_report: the store's report should contain the units, but does not.
--   - report_missing: no report file that counts covers the day.
--   - unexplained: the units agree, the money does not.
--   If both sides of day_edge, settled_later, billing_retry or refund_dated_elsewhere lie in one period, they count as
--   agreed there; by=day shows them.
--   If files of one developer account state the same days, only the one loaded last counts, even if it lacks a row. If
--   their days overlap, files of fewer days count. A product that several apps sell is compared within each app if
--   other products with the same parent SKU show its app; otherwise all of it counts for the app that sells most of it.
--   The last days of the newest finance file are settled in the next one.
--   Amounts are what customers paid. Amounts are converted by the rate of their day; unit prices are not converted.
--
-- Example:
--   receiptmill report reconciliation --database mill.sqlite by=fiscal_month report=finance_detail

WITH compared AS (SELECT * FROM model_reconciled WHERE report = coalesce(:report, 'sales')),

days AS (SELECT store_day AS day_number FROM compared UNION SELECT our_day FROM compared),

months_of AS (SELECT month_number, min(day) AS begins, max(day) AS ends FROM model_days GROUP BY month_number),

periods AS (
    SELECT day.day_number, day.day AS period, day.day AS begins, day.day AS ends
    FROM days
    JOIN model_days AS day ON day.day_number = days.day_number
    WHERE :by = 'day'
    UNION ALL
    SELECT day.day_number, day.month, span.begins, span.ends
    FROM days
    JOIN model_days AS day ON day.day_number = days.day_number
    JOIN months_of AS span ON span.month_number = day.month_number
    WHERE coalesce(:by, 'month') = 'month'
    UNION ALL
    SELECT days.day_number, fiscal.fiscal_month, first_day.day, last_day.day
    FROM days
    JOIN model_fiscal_months AS fiscal ON fiscal.begins_day <= days.day_number AND fiscal.ends_day >= days.day_number
    JOIN model_days AS first_day ON first_day.day_number = fiscal.begins_day
    JOIN model_days AS last_day ON last_day.day_number = fiscal.ends_day
    WHERE :by = 'fiscal_month'
),

-- Products whose app is unknown are shown only if all apps are shown.
scope AS (
    SELECT CASE WHEN count(apps.app_id) = count(*) THEN 1 ELSE 0 END AS has_all
    FROM model_apps AS app
    LEFT JOIN apps ON apps.app_id = app.app_id
    WHERE app.environment = 'Production'
),

sides AS (SELECT 0 AS is_ours UNION ALL SELECT 1),

cut AS (
    SELECT
        compared.app_id, compared.product_id, compared.country, compared.currency, compared.price_milliunits,
        CASE sides.is_ours WHEN 0 THEN store.period ELSE ours.period END AS period,
        CASE sides.is_ours WHEN 0 THEN store.begins ELSE ours.begins END AS begins,
        CASE sides.is_ours WHEN 0 THEN store.ends ELSE ours.ends END AS ends,
        CASE sides.is_ours WHEN 0 THEN compared.store_day ELSE compared.our_day END AS day_number,
        CASE
            WHEN store.period = ours.period
                AND compared.class IN ('day_edge', 'settled_later', 'billing_retry', 'refund_dated_elsewhere')
                THEN 'agreed'
            WHEN store.period <> ours.period AND compared.class IN ('agreed', 'rounding') THEN 'period_edge'
            ELSE compared.class
        END AS class,
        CASE sides.is_ours WHEN 0 THEN compared.store_units ELSE 0 END AS store_units,
        CASE sides.is_ours WHEN 0 THEN 0 ELSE compared.our_units END AS our_units,
        CASE sides.is_ours WHEN 0 THEN compared.store_gross ELSE 0 END AS store_gross,
        CASE sides.is_ours WHEN 0 THEN 0 ELSE compared.our_gross END AS our_gross
    FROM compared
    JOIN sides ON (sides.is_ours = 0 AND compared.store_units <> 0) OR (sides.is_ours = 1 AND compared.our_units <> 0)
    LEFT JOIN periods AS store ON store.day_number = compared.store_day
    LEFT JOIN periods AS ours ON ours.day_number = compared.our_day
),

summed AS (
    SELECT
        cut.period, cut.begins, cut.ends,
        coalesce(apps.bundle_id, '(none)') AS bundle_id,
        cut.product_id,
        coalesce(nullif(cut.country, ''), '(none)') AS country,
        coalesce(rates.into_currency, nullif(cut.currency, ''), '(none)') AS currency,
        CASE WHEN rates.rate IS NULL AND cut.price_milliunits >= 0 THEN cut.price_milliunits END AS unit_price,
        CASE cut.class WHEN 'rounding' THEN 'agreed' ELSE cut.class END AS class,
        sum(cut.store_units) AS store_units,
        sum(cut.our_units) AS our_units,
        sum(cut.store_gross - cut.our_gross) AS unconverted,
        CAST(floor(sum(cut.store_gross * coalesce(rates.rate, 1.0)) + 0.5) AS BIGINT) AS store_gross,
        CAST(floor(sum(cut.our_gross * coalesce(rates.rate, 1.0)) + 0.5) AS BIGINT) AS our_gross
    FROM cut
    CROSS JOIN scope
    LEFT JOIN apps ON apps.app_id = cut.app_id
    LEFT JOIN rates ON rates.currency = cut.currency AND rates.day_number = cut.day_number
    WHERE (apps.app_id IS NOT NULL OR (cut.app_id = 0 AND scope.has_all = 1))
        AND (coalesce(:from, 'all') = 'all' OR substr(cut.period, 1, 7) >= :from)
        AND (coalesce(:until, 'all') = 'all' OR substr(cut.period, 1, 7) <= :until)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
),

-- Units that agree except for rounding have one row per period, whatever their days.
judged AS (
    SELECT
        summed.*,
        CASE WHEN summed.class = 'agreed' AND unconverted <> 0 THEN 'rounding' ELSE summed.class END AS class_shown
    FROM summed
)

SELECT
    period, begins, ends, bundle_id, product_id, country, currency, unit_price,
    class_shown AS class,
    CASE WHEN store_units % 1000 = 0 THEN CAST(store_units / 1000 AS BIGINT) ELSE CAST(store_units AS DOUBLE) / 1000 END AS store_units,
    CASE WHEN our_units % 1000 = 0 THEN CAST(our_units / 1000 AS BIGINT) ELSE CAST(our_units AS DOUBLE) / 1000 END AS our_units,
    CASE
        WHEN (store_units - our_units) % 1000 = 0 THEN CAST((store_units - our_units) / 1000 AS BIGINT)
        ELSE CAST(store_units - our_units AS DOUBLE) / 1000
    END AS difference_units,
    store_gross, our_gross,
    store_gross - our_gross AS difference
FROM judged
WHERE coalesce(:class, 'all') IN ('all', class_shown)
    OR (:class = 'differences' AND class_shown <> 'agreed')
-- Engines differ in where they sort null, so null is replaced by -1.
ORDER BY 1, 4, 5, 6, 7, coalesce(unit_price, -1), 9;
