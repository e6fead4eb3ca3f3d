-- Sales and refunds from documents, counted as Apple's sales reports count them: by Pacific day of the sale or refund,
-- product, country, currency and unit price. Only days near those of loaded report files are included.
--
-- A renewal paid during billing retry counts on the day of the payment, if a notification calls it recovered or an
-- earlier renewal info states the retry. The payment is dated by the first trusted document that states the
-- transaction. A refund counts all units of the sale, whatever part of the price was refunded; for seats, only the
-- refunded ones.
--
-- Transactions of Sandbox and members' shares are no sales; they are included because reports may count them.
--
-- Grain: one row per kind, app, pair of days, product, country, currency and unit price, sales and refunds apart
-- Key: match_day, product_id, price_milliunits, country, currency, own_day, sold_day, kind, app_id, is_refund
--
-- Columns:
--   match_day          INTEGER!  –           number of the Pacific day on which the App Store counts the sale or
--                                            refund: the day of the payment or refund
--   product_id         TEXT!     –           identifier of the product sold or refunded
--   price_milliunits   INTEGER!  milliunits  unit price; -1 if no price is known
--   country            TEXT!     –           country of the store (ISO 3166, two letters); empty if none is known
--   currency           TEXT!     –           currency of the price; empty if none is known
--   own_day            INTEGER!  –           number of the day of the sale or refund, in the database's time zone
--   sold_day           INTEGER!  –           number of the Pacific day of the sale or refund
--   kind               INTEGER!  –           0: sale or refund in Production; 1: in Sandbox; 2: a member's share
--   app_id             INTEGER!  –           app and environment, by the loader's number
--   is_refund          INTEGER!  0 or 1      1: refunds; 0: sales
--   units_thousandths  INTEGER!  –           units, in thousandths; negative for refunds
--   gross_milliunits   INTEGER!  milliunits  amount charged, or, if negative, amount refunded; 0 if no price is known
WITH span AS (
    -- A month and a day on both sides: refunds and settlements may differ by that much.
    SELECT (min(day_number) - 32) * 86400000 AS from_ms, (max(day_number) + 33) * 86400000 AS until_ms
    FROM (SELECT day_number FROM model_store_days UNION ALL SELECT first_day FROM model_store_sales) AS told
),

retried AS (
    SELECT purchase.purchase_id, purchase.transaction_id, purchase.app_id, min(renewal.signed_at) AS told_ms
    FROM span
    JOIN renewal ON renewal.signed_at >= span.from_ms AND renewal.signed_at < span.until_ms
    JOIN app ON app.environment = renewal.environment
    JOIN purchase ON purchase.original_transaction_id = renewal.original_transaction_id AND purchase.app_id = app.app_id
    WHERE renewal.is_in_billing_retry = 1
        AND purchase.purchase_date <= renewal.signed_at
        AND purchase.expires_date > renewal.signed_at
    GROUP BY purchase.purchase_id, purchase.transaction_id, purchase.app_id
    UNION ALL
    SELECT purchase.purchase_id, purchase.transaction_id, purchase.app_id, min(purchase.purchase_date)
    FROM span
    JOIN notification ON span.from_ms IS NOT NULL
    JOIN receipt_part AS part ON part.receipt_id = notification.receipt_id AND part.part = 'transaction'
    JOIN receipt AS stating ON stating.receipt_id = part.part_receipt_id
    JOIN receipt_purchase AS stated ON stated.receipt_id = stating.receipt_id
    JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = stating.app_id
    WHERE notification.notification_type = 'DID_RENEW'
        AND notification.subtype = 'BILLING_RECOVERY'
        AND stating.verdict = 'trusted'
    GROUP BY purchase.purchase_id, purchase.transaction_id, purchase.app_id
),

paid AS (
    SELECT told.purchase_id, told.paid_ms
    FROM (
        SELECT
            retried.purchase_id,
            min(retried.told_ms) AS told_ms,
            min(receipt.receipt_creation_date) AS paid_ms
        FROM retried
        JOIN receipt_purchase AS stated ON stated.transaction_id = retried.transaction_id
        JOIN receipt ON receipt.receipt_id = stated.receipt_id AND receipt.app_id = retried.app_id
        WHERE coalesce(receipt.verdict, '') = 'trusted'
        GROUP BY retried.purchase_id
    ) AS told
    WHERE told.paid_ms > told.told_ms
),

events AS (
    SELECT
        CASE WHEN app.environment LIKE '%Sandbox' THEN 1 WHEN sale.is_shared = 1 THEN 2 ELSE 0 END AS kind,
        sale.app_id, sale.sold_day AS own_day, sale.product_number, sale.storefront, sale.currency, sale.quantity,
        CASE WHEN sale.price_milliunits IS NULL AND sale.is_trial = 1 THEN 0 ELSE sale.price_milliunits END AS milliunits,
        0 AS is_refund, sale.start_ms AS sold_ms,
        coalesce(paid.paid_ms, sale.start_ms) AS match_ms
    FROM span
    JOIN model_sales AS sale ON sale.start_ms >= span.from_ms AND sale.start_ms < span.until_ms
    JOIN app ON app.app_id = sale.app_id
    LEFT JOIN paid ON paid.purchase_id = sale.purchase_id
    WHERE (app.environment = 'Production' OR app.environment LIKE '%Sandbox')
    UNION ALL
    SELECT
        CASE WHEN app.environment LIKE '%Sandbox' THEN 1 ELSE 0 END,
        sale.app_id, refund.refund_day, sale.product_number, sale.storefront, sale.currency,
        -- For seats, only the refunded ones count.
        CASE
            WHEN sale.seats IS NOT NULL AND sale.price_milliunits > 0
                THEN CAST(floor(CAST(refund.milliunits AS DOUBLE) * sale.quantity / sale.price_milliunits + 0.5) AS BIGINT)
            ELSE sale.quantity
        END,
        refund.milliunits,
        1, refund.refund_ms, refund.refund_ms
    FROM span
    JOIN model_refund_events AS refund ON refund.refund_ms >= span.from_ms AND refund.refund_ms < span.until_ms
    JOIN model_sales AS sale ON sale.purchase_id = refund.purchase_id
    JOIN app ON app.app_id = sale.app_id
    WHERE (app.environment = 'Production' OR app.environment LIKE '%Sandbox')
),

priced AS (
    SELECT
        kind, app_id, own_day, product_number, currency, is_refund, milliunits,
        coalesce(storefront, '') AS storefront,
        CASE WHEN quantity > 0 THEN quantity ELSE 1 END AS quantity,
        CASE WHEN sold_ms < sold.midnight_ms THEN sold.earlier_day ELSE sold.later_day END AS sold_day,
        CASE WHEN match_ms < matched.midnight_ms THEN matched.earlier_day ELSE matched.later_day END AS match_day
    FROM events
    JOIN model_pacific_days AS sold ON sold.utc_day = CAST((sold_ms - sold_ms % 86400000) / 86400000 AS BIGINT)
    JOIN model_pacific_days AS matched ON matched.utc_day = CAST((match_ms - match_ms % 86400000) / 86400000 AS BIGINT)
    WHERE own_day IS NOT NULL
),

-- There are few storefronts, so each country is looked up once.
storefronts AS (
    SELECT told.storefront, coalesce(country.country, '') AS country
    FROM (SELECT DISTINCT storefront FROM priced) AS told
    LEFT JOIN internal_countries AS country ON country.storefront = told.storefront
)

SELECT
    priced.match_day,
    coalesce(product.product_id, '') AS product_id,
    CASE
        WHEN priced.milliunits < 0 OR priced.milliunits IS NULL THEN -1
        ELSE CAST(floor(CAST(priced.milliunits AS DOUBLE) / priced.quantity + 0.5) AS BIGINT)
    END AS price_milliunits,
    storefronts.country,
    coalesce(priced.currency, '') AS currency,
    priced.own_day, priced.sold_day, priced.kind, priced.app_id, priced.is_refund,
    sum(priced.quantity) * 1000 * (1 - 2 * priced.is_refund) AS units_thousandths,
    sum(coalesce(priced.milliunits, 0)) * (1 - 2 * priced.is_refund) AS gross_milliunits
FROM priced
JOIN storefronts ON storefronts.storefront = priced.storefront
LEFT JOIN product ON product.product_number = priced.product_number
GROUP BY 1, 2, 3, 4, 5, priced.own_day, priced.sold_day, priced.kind, priced.app_id, priced.is_refund
