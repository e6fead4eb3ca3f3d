-- refunds: Refunds of each month's sales
-- How many sales of each month were refunded so far, why, and which share within 60 days (refund_rate)?
--
-- Grain: one row per environment, bundle_id, month, value, currency, price_source
-- Aliases: refund-rate, refund-money, refund-delays, refunds-by-version, refunds-in-money
--
-- Parameters:
--   :by  texts(app, product, storefront, version, reason, delay)  app  the dimensions by which a month is split into
--                                                                      rows
--
-- Columns:
--   environment      text     environment of the sales
--   bundle_id        text     bundle identifier of the app
--   month            month    month of the sale
--   value            text     values of the dimensions that :by names, separated by commas: product, storefront,
--                             version, then reason and days until the refund; (all) if :by names only app
--   currency         text     currency of the amounts (ISO 4217); (none) if no price is known
--   price_source     text     signed: a signed transaction states the price; list: from your price list; none: no price
--                             is known
--   sales            integer(sales)    number of sales of the month; if :by names reason or delay, of all reasons and
--                                      delays
--   refunded_sales   integer(sales)    sales of the month that were refunded later, wholly or in part
--   refund_rate      share    sales refunded within 60 days ÷ sales; empty until 60 days after the month
--   gross            money(currency)   amount charged for the sales
--   refunded         money(currency)   amount refunded so far for sales of the month
--   refunded_share   share    amount refunded within 60 days ÷ gross; empty until 60 days after the month
--   partial_refunds  integer(sales)    refunded sales whose first refund returned a part of the price
--   mature_on        date     day from which refund_rate and refunded_share are shown
--
-- Shown: bundle_id, month, value, currency, sales, refunded_sales, refund_rate, gross, refunded, refunded_share
-- Total: refunded_sales, refunded, partial_refunds
-- Chart: lines  x=month  y=refund_rate  n=sales  series=bundle_id
--
-- Panel:
--   place     9
--   title     Refund rate by app
--   chart     lines  x=month  y=refund_rate  series=bundle_id  n=sales
--   missing   No purchase is known in these months.
--
-- Notes:
--   Here a refund counts in the month of its sale, and each sale counts once; the report revenue counts every refund in
--   the month in which it was made. Only documents made after a refund state it, so shares are lower bounds if
--   customers' documents are older.
--   A sale refunded in parts, of items or seats, counts once, with its first refund; amounts include all parts.
--   Receipts and older signed data do not state which share was refunded; for these, the whole price counts. Upgrades,
--   and lost shares of families and groups, are no refunds. An unknown type of revocation counts as a refund.
--   The version is that of the newest document that states the sale: the version that the owner had when the refund was
--   seen, not always the one in which the purchase was made.
--   Refunds are converted by the rate of their own day. refunded_share uses the rate of the sale's day for both
--   amounts, so that changing rates do not affect it. A month without sales has a row, too, from the first month of its
--   series on.
--
-- Example:
--   receiptmill report refunds --database mill.sqlite by=version,reason

WITH asked AS (SELECT ',' || replace(coalesce(:by, 'app'), ' ', '') || ',' AS names),

bought AS (
    SELECT
        sale.app_id, day.month_number,
        coalesce(nullif(substr(
            CASE WHEN instr(asked.names, ',product,') > 0 THEN ', ' || coalesce(product.product_id, '(none)') ELSE '' END
            || CASE WHEN instr(asked.names, ',storefront,') > 0 THEN ', ' || sale.storefront ELSE '' END
            || CASE WHEN instr(asked.names, ',version,') > 0 THEN ', ' || coalesce(version.version, '(none)') ELSE '' END,
            3), ''), '(all)') AS value,
        coalesce(rates.into_currency, sale.currency) AS currency, sale.price_source, sum(sale.sales) AS sales,
        sum(sale.gross_milliunits * coalesce(rates.rate, 1.0)) AS gross_exactly
    FROM apps
    CROSS JOIN asked
    JOIN model_daily_sales AS sale ON sale.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = sale.day_number
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN product ON product.product_number = sale.product_number
    LEFT JOIN version ON version.version_id = sale.version_id
    LEFT JOIN rates ON rates.currency = sale.currency AND rates.day_number = sale.day_number
    GROUP BY 1, 2, 3, 4, 5
),

-- Running sums are rounded, not rows, so that the rows of a month add up to its sum.
sold AS (
    SELECT
        bought.*,
        CAST(floor(sum(gross_exactly) OVER so_far + 0.5) - floor(coalesce(sum(gross_exactly) OVER earlier, 0.0) + 0.5) AS BIGINT)
            AS gross
    FROM bought
    WINDOW so_far AS (PARTITION BY app_id, month_number, currency, price_source ORDER BY value),
        earlier AS (PARTITION BY app_id, month_number, currency, price_source ORDER BY value
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),

given_back AS (
    SELECT
        refund.app_id, day.month_number,
        coalesce(nullif(substr(
            CASE WHEN instr(asked.names, ',product,') > 0 THEN ', ' || coalesce(product.product_id, '(none)') ELSE '' END
            || CASE WHEN instr(asked.names, ',storefront,') > 0 THEN ', ' || refund.storefront ELSE '' END
            || CASE WHEN instr(asked.names, ',version,') > 0 THEN ', ' || coalesce(version.version, '(none)') ELSE '' END,
            3), ''), '(all)') AS value,
        nullif(substr(
            CASE WHEN instr(asked.names, ',reason,') > 0 THEN ', ' || refund.reason ELSE '' END
            || CASE WHEN instr(asked.names, ',delay,') > 0 THEN ', ' || CASE
                WHEN refund.delay_days < 1 THEN '0 days' WHEN refund.delay_days <= 7 THEN '1 to 7 days'
                WHEN refund.delay_days <= 30 THEN '8 to 30 days' WHEN refund.delay_days <= 60 THEN '31 to 60 days'
                ELSE 'more than 60 days' END ELSE '' END,
            3), '') AS told,
        coalesce(rates.into_currency, refund.currency) AS currency, refund.price_source, sum(refund.refunds) AS refunds,
        sum(CASE WHEN refund.delay_days < 60 THEN refund.refunds ELSE 0 END) AS early_refunds,
        sum(refund.partial_refunds) AS partial_refunds,
        coalesce(sum(refund.refunded_milliunits * CASE WHEN rates.rate IS NULL THEN 1.0 ELSE later.rate END), 0.0)
            AS refunded_then,
        sum(CASE WHEN refund.delay_days < 60 THEN refund.refunded_milliunits * coalesce(rates.rate, 1.0) ELSE 0 END)
            AS early_refunded
    FROM apps
    CROSS JOIN asked
    JOIN internal_refunds AS refund ON refund.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = refund.sale_day
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN product ON product.product_number = refund.product_number
    LEFT JOIN version ON version.version_id = refund.version_id
    LEFT JOIN rates ON rates.currency = refund.currency AND rates.day_number = refund.sale_day
    LEFT JOIN rates AS later ON later.currency = refund.currency AND later.day_number = refund.refund_day
    GROUP BY 1, 2, 3, 4, 5, 6
),

returned AS (
    SELECT
        given_back.*,
        CAST(floor(sum(refunded_then) OVER so_far + 0.5) - floor(coalesce(sum(refunded_then) OVER earlier, 0.0) + 0.5) AS BIGINT)
            AS refunded
    FROM given_back
    WINDOW so_far AS (PARTITION BY app_id, month_number, currency, price_source ORDER BY value, told),
        earlier AS (PARTITION BY app_id, month_number, currency, price_source ORDER BY value, told
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),

series AS (
    SELECT app_id, value, currency, price_source, min(month_number) AS first_month
    FROM sold
    WHERE sales > 0
    GROUP BY app_id, value, currency, price_source
)

SELECT
    apps.environment, apps.bundle_id, months.month,
    CASE WHEN instr(asked.names, ',reason,') = 0 AND instr(asked.names, ',delay,') = 0 THEN series.value
        ELSE CASE series.value WHEN '(all)' THEN '' ELSE series.value || ', ' END || coalesce(returned.told, 'not refunded')
    END AS value,
    series.currency, series.price_source, coalesce(sold.sales, 0) AS sales, coalesce(returned.refunds, 0) AS refunded_sales,
    CASE WHEN months.ends_ms + 5184000000 <= apps.horizon_ms + 1000
        THEN round(CAST(coalesce(returned.early_refunds, 0) AS DOUBLE) / nullif(sold.sales, 0), 4) END AS refund_rate,
    CASE WHEN series.price_source <> 'none' THEN coalesce(sold.gross, 0) END AS gross,
    CASE WHEN series.price_source <> 'none' THEN coalesce(returned.refunded, 0) END AS refunded,
    CASE WHEN months.ends_ms + 5184000000 <= apps.horizon_ms + 1000
        THEN round(CAST(coalesce(returned.early_refunded, 0) AS DOUBLE) / nullif(sold.gross_exactly, 0), 4) END AS refunded_share,
    coalesce(returned.partial_refunds, 0) AS partial_refunds, mature.day AS mature_on
FROM series
CROSS JOIN asked
JOIN apps ON apps.app_id = series.app_id
JOIN months ON months.month_number >= series.first_month AND months.month_number <= apps.last_month
LEFT JOIN sold ON sold.app_id = series.app_id AND sold.month_number = months.month_number
    AND sold.value = series.value AND sold.currency = series.currency AND sold.price_source = series.price_source
LEFT JOIN returned ON returned.app_id = series.app_id AND returned.month_number = months.month_number
    AND returned.value = series.value AND returned.currency = series.currency AND returned.price_source = series.price_source
LEFT JOIN model_days AS mature ON mature.day_number = months.last_day + 61
ORDER BY 1, 2, 3, 4, 5, 6;
