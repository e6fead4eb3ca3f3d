-- Tax, commission and proceeds of each sale and refund by the rate card: the price less its tax, the commission, and
-- the levy on the commission. A refund has the rates of its sale. Nothing is computed if the rate card has no rule.
--
-- Detailed finance reports fix the developer's share of sales in Production: their rows count if they have the same
-- Pacific day, product, country, currency and unit price, and state at least as many units as documents do. If such
-- rows state several shares, the minimum or maximum counts if the rate card gives it, too. All else is an estimate.
--
-- The developer's share of one unit is rounded as the rate card says, in the digits of the currency, and multiplied by
-- the quantity. A value within a millionth of half a unit is taken as half a unit, since floating-point numbers miss
-- many halves.
--
-- Columns:
--   purchase_id            –           the sale, by the loader's number
--   app_id                 –           app and environment, by the loader's number
--   customer_id            –           number of the customer who pays
--   is_refund              0 or 1      1: a refund, all of whose amounts are negative
--   event_ms               ms          time of the sale or refund
--   day_number             –           number of the local day of the sale or refund
--   product_number         –           product, by the loader's number; 0 if none is stated
--   storefront             –           country of the store (ISO 3166, three letters); (none) if none is stated
--   offer                  –           type of offer: introductory, promotional, offer_code, win_back, retention,
--                                      other_offer, or full (no offer)
--   currency               –           currency of the amounts; (none) if no price is known
--   price_source           –           signed: a signed transaction states the price; list: from your price list; none:
--                                      no price is known
--   paid_year              –           2: after a year of paid service in the subscription group, else 1
--   milliunits             milliunits  amount charged or refunded; null if no price is known
--   tax_milliunits         milliunits  tax in the amount
--   commission_milliunits  milliunits  what the store keeps of the amount, its levy included
--   proceeds_milliunits    milliunits  what the developer gets of the amount
--   basis                  –           how proceeds are known: stated by a finance report, estimate by the rate card,
--                                      or none
CREATE VIEW internal_earnings AS
WITH stated AS (
    SELECT
        line.begins_day, line.sku, line.country, line.currency,
        CAST(floor(CAST(line.price_milliunits AS DOUBLE) / line.price_step + 0.5) AS BIGINT) * line.price_step AS price_milliunits,
        CASE WHEN line.units_thousandths < 0 THEN 1 ELSE 0 END AS is_refund,
        min(CAST(floor(CAST(line.proceeds_milliunits * 1000 AS DOUBLE) / line.units_thousandths + 0.5) AS BIGINT)) AS minimum,
        max(CAST(floor(CAST(line.proceeds_milliunits * 1000 AS DOUBLE) / line.units_thousandths + 0.5) AS BIGINT)) AS maximum,
        abs(sum(line.units_thousandths)) AS units
    FROM (
        SELECT
            line.*,
            CASE coalesce(digits.digits, 2) WHEN 0 THEN 1000 WHEN 3 THEN 1 WHEN 4 THEN 1 ELSE 10 END AS price_step
        FROM internal_store_lines AS line
        LEFT JOIN model_minor_units AS digits ON digits.currency = line.currency
        WHERE line.report = 'finance_detail'
    ) AS line
    WHERE line.units_thousandths <> 0
        AND line.proceeds_currency = line.currency
    GROUP BY 1, 2, 3, 4, 5, 6
),

charged AS (
    SELECT purchase_id, 0 AS is_refund, sold_day AS day_number, start_ms AS event_ms, price_milliunits AS milliunits
    FROM model_sales
    WHERE is_shared = 0
        AND sold_day IS NOT NULL
        AND is_paid = 1
    UNION ALL
    SELECT purchase_id, 1, refund_day, refund_ms, milliunits
    FROM model_refund_events
    WHERE refund_day IS NOT NULL
),

placed AS (
    SELECT
        charged.purchase_id, charged.is_refund, charged.event_ms, charged.day_number, charged.milliunits, sale.app_id, app.environment,
        sale.customer_id, sale.product_number, sale.storefront, sale.offer, sale.currency, sale.price_source,
        CASE WHEN sale.quantity > 0 THEN sale.quantity ELSE 1 END AS quantity,
        CASE WHEN sale.is_period = 1 THEN 'subscription' ELSE 'other' END AS kind,
        CASE WHEN served.paid_days >= 365 THEN 2 ELSE 1 END AS paid_year,
        CASE WHEN sale.start_ms < bought.midnight_ms THEN bought.earlier_day ELSE bought.later_day END AS rate_day,
        CASE WHEN charged.event_ms < booked.midnight_ms THEN booked.earlier_day ELSE booked.later_day END AS booked_day,
        -- Milliunits of the smallest amount that Apple pays.
        CASE coalesce(own.digits, known.digits, 2) WHEN 0 THEN 1000 WHEN 1 THEN 100 WHEN 2 THEN 10 ELSE 1 END AS step,
        CASE coalesce(known.digits, 2) WHEN 0 THEN 1000 WHEN 3 THEN 1 WHEN 4 THEN 1 ELSE 10 END AS price_step
    FROM charged
    JOIN model_sales AS sale ON sale.purchase_id = charged.purchase_id
    JOIN app ON app.app_id = sale.app_id
    LEFT JOIN model_paid_days AS served ON served.purchase_id = charged.purchase_id
    LEFT JOIN model_pacific_days AS bought ON bought.utc_day = CAST((sale.start_ms - sale.start_ms % 86400000) / 86400000 AS BIGINT)
    LEFT JOIN model_pacific_days AS booked
        ON booked.utc_day = CAST((charged.event_ms - charged.event_ms % 86400000) / 86400000 AS BIGINT)
    LEFT JOIN rate_currency AS own ON own.currency = sale.currency
    LEFT JOIN model_minor_units AS known ON known.currency = sale.currency
),

priced AS (
    SELECT
        placed.*,
        CAST(floor(CAST(milliunits AS DOUBLE) / (quantity * price_step) + 0.5) AS BIGINT) * price_step AS unit_milliunits
    FROM placed
),

rated AS (
    SELECT
        priced.*, 1e6 + rule.tax_ppm AS with_tax, rule.rounding,
        -- The developer's share of one unit, as a number of such smallest amounts: price ÷ (1 + tax) × (1 − commission)
        -- ÷ (1 + levy × commission).
        CAST(priced.milliunits * (1e6 - rule.commission_ppm) * 1e12 AS DOUBLE) / (
            priced.quantity * priced.step * (1e6 + rule.tax_ppm) * (1e12 + rule.levy_ppm * rule.commission_ppm)
        ) AS share
    FROM priced
    LEFT JOIN rate_rule AS rule
        ON rule.storefront = priced.storefront
        AND rule.kind = priced.kind
        AND rule.paid_year = priced.paid_year
        AND rule.from_day <= priced.rate_day
        AND rule.until_day > priced.rate_day
),

-- What finance reports state for the sales at one price.
matched AS (
    SELECT
        priced.booked_day, priced.product_number, priced.storefront, priced.currency, priced.is_refund, priced.environment,
        priced.unit_milliunits,
        min(stated.minimum) AS minimum,
        min(stated.maximum) AS maximum,
        min(stated.units) AS stated_units,
        sum(priced.quantity * 1000) AS own_units
    FROM priced
    JOIN product ON product.product_number = priced.product_number
    JOIN model_storefronts AS country ON country.storefront = priced.storefront
    JOIN stated
        ON stated.begins_day = priced.booked_day
        AND stated.sku = product.product_id
        AND stated.country = country.country
        AND stated.currency = priced.currency
        AND stated.is_refund = priced.is_refund
        AND stated.price_milliunits = priced.unit_milliunits
    WHERE priced.environment = 'Production'
        AND EXISTS (SELECT 1 FROM stated)
    GROUP BY priced.booked_day, priced.product_number, priced.storefront, priced.currency, priced.is_refund, priced.environment,
        priced.unit_milliunits
),

compared AS (
    SELECT
        rated.*, matched.minimum, matched.maximum, matched.stated_units, matched.own_units,
        CAST(CASE rated.rounding WHEN 'up' THEN -floor(1e-6 - rated.share) ELSE floor(rated.share + 0.500001) END AS BIGINT) * rated.step
            AS estimated
    FROM rated
    LEFT JOIN matched
        ON matched.booked_day = rated.booked_day
        AND matched.product_number = rated.product_number
        AND matched.storefront = rated.storefront
        AND matched.currency = rated.currency
        AND matched.is_refund = rated.is_refund
        AND matched.environment = rated.environment
        AND matched.unit_milliunits = rated.unit_milliunits
),

judged AS (
    SELECT
        compared.*, 1 - 2 * is_refund AS sign,
        milliunits - CAST(floor(CAST(milliunits * 1e6 AS DOUBLE) / with_tax + 0.5) AS BIGINT) AS tax,
        CASE WHEN minimum = maximum AND own_units <= stated_units THEN minimum ELSE estimated END * quantity AS proceeds,
        CASE
            WHEN own_units <= stated_units AND (minimum = maximum OR estimated IN (minimum, maximum)) THEN 'stated'
            WHEN estimated IS NOT NULL THEN 'estimate'
            ELSE 'none'
        END AS basis
    FROM compared
)

SELECT
    purchase_id, app_id, customer_id, is_refund, event_ms, day_number,
    coalesce(product_number, 0) AS product_number,
    coalesce(storefront, '(none)') AS storefront,
    offer,
    coalesce(currency, '(none)') AS currency,
    price_source, paid_year,
    sign * milliunits AS milliunits,
    sign * tax AS tax_milliunits,
    sign * (milliunits - tax - proceeds) AS commission_milliunits,
    sign * proceeds AS proceeds_milliunits,
    basis
FROM judged;
