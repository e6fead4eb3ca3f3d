-- archive-completeness: Share of the store's sales that the archive knows
-- How much of what the store sold does this archive know at all?
--
-- Grain: one row per bundle_id, product_id, country, currency, month
-- Aliases: completeness, known-share
--
-- Parameters:
--   :by  text(product, app)  product  whether rows are split by product and country, or only by app
--
-- Columns:
--   bundle_id    text             bundle identifier of the app; (none) if unknown
--   product_id   text             product sold in the app; (all) with by=app
--   country      text             country of the store (ISO 3166, two letters); (all) with by=app
--   currency     text             currency of the amounts (ISO 4217)
--   month        month            month of the sales, by Pacific days
--   store_units  real(units)      units in the store's sales reports, without refunds
--   known_units  real(units)      of store_units, those that documents of the archive state
--   known_share  share            known_units ÷ store_units
--   store_gross  money(currency)  what customers paid for store_units
--   known_gross  money(currency)  part of store_gross that belongs to known_units
--   days         integer(days)    days of the month for which sales reports are loaded
--   is_complete  integer          1: sales reports are loaded for all days of the month; 0: for some days
--
-- Shown: bundle_id, product_id, country, currency, month, store_units, known_units, known_share, is_complete
-- Total: store_units, known_units, store_gross, known_gross
-- Chart: lines  x=month  y=known_share  series=bundle_id
--
-- Notes:
--   Known units are in any class of the report reconciliation except not_in_archive: documents state as many units of
--   the product and country on that day or in the ten days before. A file of a week, month or year counts in the month
--   of its middle day. Sandbox transactions and members' shares that the store counts are known, too. Downloads of apps
--   are left out, since no signed transaction states them. A day without sales has no file, so a small app's month may
--   never be complete.
--   Other reports warn on standard error if the archive knows less than nine tenths of a month that they show.
--
-- Example:
--   receiptmill report archive-completeness --database mill.sqlite by=app

WITH scope AS (
    SELECT CASE WHEN count(apps.app_id) = count(*) THEN 1 ELSE 0 END AS has_all
    FROM model_apps AS app
    LEFT JOIN apps ON apps.app_id = app.app_id
    WHERE app.environment = 'Production'
),

covered AS (
    SELECT
        day.month_number,
        count(told.day_number) AS days,
        CASE WHEN count(told.day_number) = count(*) THEN 1 ELSE 0 END AS is_complete
    FROM model_days AS day
    LEFT JOIN model_store_days AS told ON told.report = 'sales' AND told.day_number = day.day_number
    GROUP BY day.month_number
),

sold AS (
    SELECT
        coalesce(apps.bundle_id, '(none)') AS bundle_id,
        CASE WHEN coalesce(:by, 'product') = 'product' THEN compared.product_id ELSE '(all)' END AS product_id,
        CASE WHEN coalesce(:by, 'product') = 'product' THEN coalesce(nullif(compared.country, ''), '(none)') ELSE '(all)' END AS country,
        coalesce(rates.into_currency, nullif(compared.currency, ''), '(none)') AS currency,
        months.month, months.month_number,
        sum(compared.store_units) AS store_units,
        sum(CASE compared.class WHEN 'not_in_archive' THEN 0 ELSE compared.store_units END) AS known_units,
        CAST(floor(sum(compared.store_gross * coalesce(rates.rate, 1.0)) + 0.5) AS BIGINT) AS store_gross,
        CAST(floor(sum(CASE WHEN compared.class = 'not_in_archive' THEN 0.0
            ELSE compared.store_gross * coalesce(rates.rate, 1.0) END) + 0.5) AS BIGINT) AS known_gross
    FROM model_reconciled AS compared
    CROSS JOIN scope
    JOIN model_days AS day ON day.day_number = compared.store_day
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN apps ON apps.app_id = compared.app_id
    LEFT JOIN rates ON rates.currency = compared.currency AND rates.day_number = day.day_number
    WHERE compared.report = 'sales'
        AND compared.store_units > 0
        AND compared.is_download = 0
        AND (apps.app_id IS NOT NULL OR (compared.app_id = 0 AND scope.has_all = 1))
    GROUP BY 1, 2, 3, 4, months.month, months.month_number
)

SELECT
    sold.bundle_id, sold.product_id, sold.country, sold.currency, sold.month,
    CASE WHEN sold.store_units % 1000 = 0 THEN CAST(sold.store_units / 1000 AS BIGINT) ELSE CAST(sold.store_units AS DOUBLE) / 1000 END AS store_units,
    CASE WHEN sold.known_units % 1000 = 0 THEN CAST(sold.known_units / 1000 AS BIGINT) ELSE CAST(sold.known_units AS DOUBLE) / 1000 END AS known_units,
    round(CAST(sold.known_units AS DOUBLE) / sold.store_units, 4) AS known_share,
    sold.store_gross, sold.known_gross, covered.days, covered.is_complete
FROM sold
JOIN covered ON covered.month_number = sold.month_number
ORDER BY 1, 2, 3, 4, 5;
