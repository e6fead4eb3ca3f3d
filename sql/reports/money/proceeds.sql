-- proceeds: Proceeds by month
-- Of what customers paid, how much is tax, how much is Apple's commission, and how much reaches you?
--
-- Grain: one row per environment, bundle_id, month, product_id, storefront, currency, price_source, paid_year, basis
-- Aliases: payout, commission, net-proceeds
--
-- Parameters:
--   :by  text(product, storefront, all)  all  how a month is split into rows: by product, by storefront, or all: by
--                                             both
--
-- Columns:
--   environment      text     environment of the purchases
--   bundle_id        text     bundle identifier of the app
--   month            month    month of the purchase date of a sale, or of the day on which a refund was made
--   product_id       text     product bought; (all) with :by storefront
--   storefront       text     country of the store (ISO 3166, three letters); (none) if unknown; (all) with :by product
--   currency         text     currency of the amounts (ISO 4217); (none) if no price is known
--   price_source     text     signed: a signed transaction states the price; list: from your price list; none: no price
--                             is known
--   paid_year        integer  2: renewals after a year of paid service in the subscription group; 1: all other sales
--   basis            text     stated: a detailed finance report states your share of one unit; estimate: computed by
--                             the rate card; none: no price, no storefront, or no matching rule in the rate card
--   sales            integer(sales)    purchases with a price above 0, or whose price is unknown
--   gross            money(currency)   amount charged for the sales
--   refunds          integer(refunds)  refunds made in the month, whenever the sale was
--   refunded         money(currency)   amount returned by the refunds
--   tax              money(currency)   tax in gross less refunded, if prices include tax
--   commission       money(currency)   what the store keeps of gross less refunded, its levy included
--   proceeds         money(currency)   what you get of gross less refunded
--   commission_rate  share    commission ÷ (gross − refunded − tax)
--   proceeds_rate    share    proceeds ÷ (gross − refunded)
--   is_complete      integer  1: the newest document of the app is later than the month; 0: the month is not over
--
-- Shown: month, product_id, currency, proceeds, storefront, gross, refunded, basis, paid_year, bundle_id
-- Total: sales, gross, refunds, refunded, tax, commission, proceeds
-- Chart: area  x=month  y=proceeds,commission,tax
--
-- Notes:
--   A sale counts in the month of its purchase date, not in the month in which the store settles it. Amounts are in the
--   customer's currency, before withholding tax and before conversion by a bank. If no detailed finance report states
--   your share of a sale, it is estimated by your rate card, a file that states tax and commission: the one given by
--   --rate-card, else the one that receiptmill refresh --rate-card stored. Without a rate card there is no estimate.
--   Your share of one unit is price ÷ (1 + tax) × (1 − commission) ÷ (1 + levy × commission), rounded as the store
--   rounds, and multiplied by the quantity. The rates are those of the Pacific day of the sale, for its refunds, too. A
--   FINANCE_DETAIL row with the same day, product, country, currency and unit price states the share, but not the sale
--   to which it belongs.
--   Days of paid service are counted by subscription. Seats that are added to a period count as sales of the first
--   year. Amounts that the store returns for periods that a change cuts short are not stated in any signed document,
--   and not included here.
--
-- Example:
--   receiptmill report proceeds --database mill.sqlite --rate-card rate-card.yaml from=2026-01

WITH earned AS (
    SELECT
        -- The columns of apps are read here, because a join further below would make SQLite scan all sums for each app.
        earning.app_id, apps.environment, apps.bundle_id, apps.complete_month, months.month_number, months.month,
        CASE WHEN coalesce(:by, 'all') <> 'storefront' THEN earning.product_number END AS product_number,
        CASE WHEN coalesce(:by, 'all') <> 'product' THEN earning.storefront ELSE '(all)' END AS storefront,
        coalesce(rates.into_currency, earning.currency) AS currency,
        earning.price_source, earning.paid_year, earning.basis, earning.is_refund, earning.milliunits AS amount,
        earning.tax_milliunits AS tax, earning.proceeds_milliunits AS proceeds, coalesce(rates.rate, 1.0) AS rate
    FROM apps
    JOIN internal_earnings AS earning ON earning.app_id = apps.app_id
    JOIN model_days AS day ON day.day_number = earning.day_number
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN rates ON rates.currency = earning.currency AND rates.day_number = earning.day_number
),

summed AS (
    SELECT
        app_id, min(environment) AS environment, min(bundle_id) AS bundle_id, min(complete_month) AS complete_month,
        month_number, month, product_number, storefront, currency, price_source, paid_year, basis,
        sum(1 - is_refund) AS sales, sum(is_refund) AS refunds,
        coalesce(sum(CASE WHEN is_refund = 0 THEN amount * rate ELSE 0.0 END), 0.0) AS gross,
        coalesce(sum(CASE WHEN is_refund = 1 THEN -amount * rate ELSE 0.0 END), 0.0) AS refunded,
        -- The tax of a sale without a rule is unknown, and so is the sum.
        CASE WHEN count(tax) = count(*) THEN sum(tax * rate) END AS tax, sum(proceeds * rate) AS proceeds
    FROM earned
    GROUP BY app_id, month_number, month, product_number, storefront, currency, price_source, paid_year, basis
),

-- Sums that grow from row to row are rounded, so that rows of a month add up to its own sum.
-- Each row is the difference of two rounded running sums.
rounded AS (
    SELECT
        app_id, environment, bundle_id, complete_month, month_number, month,
        coalesce(product.product_id, '(none)') AS product_id, storefront, currency, price_source, paid_year, basis, sales,
        refunds,
        CAST(floor(sum(gross) OVER so_far + 0.5) - floor(coalesce(sum(gross) OVER earlier, 0.0) + 0.5) AS BIGINT) AS gross,
        CAST(floor(sum(refunded) OVER so_far + 0.5) - floor(coalesce(sum(refunded) OVER earlier, 0.0) + 0.5) AS BIGINT)
            AS refunded,
        CASE WHEN tax IS NOT NULL THEN CAST(floor(sum(tax) OVER so_far + 0.5)
            - floor(coalesce(sum(tax) OVER earlier, 0.0) + 0.5) AS BIGINT) END AS tax,
        CASE WHEN proceeds IS NOT NULL THEN CAST(floor(sum(proceeds) OVER so_far + 0.5)
            - floor(coalesce(sum(proceeds) OVER earlier, 0.0) + 0.5) AS BIGINT) END AS proceeds
    FROM summed
    LEFT JOIN product ON product.product_number = summed.product_number
    WINDOW so_far AS (PARTITION BY app_id, month_number, currency, price_source
            ORDER BY coalesce(product.product_id, ''), storefront, paid_year, basis),
        earlier AS (PARTITION BY app_id, month_number, currency, price_source
            ORDER BY coalesce(product.product_id, ''), storefront, paid_year, basis
            ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)

SELECT
    summed.environment, summed.bundle_id, summed.month,
    CASE WHEN coalesce(:by, 'all') <> 'storefront' THEN summed.product_id ELSE '(all)' END AS product_id,
    summed.storefront, summed.currency, summed.price_source, summed.paid_year, summed.basis, summed.sales,
    CASE WHEN summed.price_source <> 'none' THEN summed.gross END AS gross,
    summed.refunds,
    CASE WHEN summed.price_source <> 'none' THEN summed.refunded END AS refunded,
    summed.tax,
    summed.gross - summed.refunded - summed.tax - summed.proceeds AS commission,
    summed.proceeds,
    CASE
        WHEN summed.gross - summed.refunded - summed.tax > 0
            THEN round(1 - CAST(summed.proceeds AS DOUBLE) / (summed.gross - summed.refunded - summed.tax), 4)
    END AS commission_rate,
    CASE
        WHEN summed.gross > summed.refunded THEN round(CAST(summed.proceeds AS DOUBLE) / (summed.gross - summed.refunded), 4)
    END AS proceeds_rate,
    CASE WHEN summed.month_number <= summed.complete_month THEN 1 ELSE 0 END AS is_complete
FROM rounded AS summed
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9;
