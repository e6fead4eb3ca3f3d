-- Sales, refunds and credits for changes by day: a sale on the day it was made, a refund on the day of the refund, the
-- estimated credit on the day of the change. Members' shares are none of them.
--
-- Grain: one row per app, day, product, storefront, currency, price source, offer, refund reason and version
-- Key: app_id, day_number, product_number, storefront, currency, price_source, offer, reason, version_id
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id               INTEGER!  –           app and environment, by the loader's number
--   day_number           INTEGER!  –           number of the local day
--   product_number       INTEGER!  –           product, by the loader's number; 0 where none is stated
--   storefront           TEXT!     –           country of the store; (none) where none is stated
--   currency             TEXT!     –           currency; (none) where no price is known
--   price_source         TEXT!     –           signed, list, or none
--   offer                TEXT!     –           full, introductory, promotional, offer_code, win_back, retention,
--                                              other_offer; free for what cost nothing
--   reason               TEXT!     –           of refunds as in model_refund_events; change of credits; empty for sales
--   version_id           INTEGER!  –           of sales, version of the app whose document tells of the sale last, by
--                                              the loader's number; 0 where it states none
--   sales                INTEGER!  sales       paid transactions
--   units                INTEGER!  units       quantity of them
--   gross_milliunits     INTEGER!  milliunits  what was charged
--   free_sales           INTEGER!  sales       transactions that cost nothing, trials among them
--   refunds              INTEGER!  refunds     refunds of transactions
--   partial_refunds      INTEGER!  refunds     of these, those of a part
--   refunded_milliunits  INTEGER!  milliunits  what was refunded
--   credit_milliunits    INTEGER!  milliunits  estimate of what the store gave back for periods that a change cut short
--   entries              INTEGER!  –           sales, refunds and changes that make it up
WITH sold AS (
    SELECT
        sale.app_id, sale.sold_day AS day_number,
        coalesce(sale.product_number, 0) AS product_number,
        coalesce(sale.storefront, '(none)') AS storefront,
        coalesce(sale.currency, '(none)') AS currency,
        sale.price_source,
        CASE WHEN sale.is_paid = 0 THEN 'free' ELSE sale.offer END AS offer,
        coalesce(sale.version_id, 0) AS version_id,
        count(*) AS purchases,
        coalesce(sum(sale.quantity), 0) AS units,
        coalesce(sum(sale.price_milliunits), 0) AS gross_milliunits
    FROM model_sales AS sale
    WHERE sale.is_shared = 0
        AND sale.sold_day IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
),

-- Refunds and changes are few.
counted AS (
    SELECT
        sale.purchase_id, sale.app_id,
        coalesce(sale.product_number, 0) AS product_number,
        coalesce(sale.storefront, '(none)') AS storefront,
        coalesce(sale.currency, '(none)') AS currency,
        sale.price_source,
        CASE WHEN sale.is_paid = 0 THEN 'free' ELSE sale.offer END AS offer,
        following.sold_day AS change_day, sale.change_credit_milliunits
    FROM model_sales AS sale
    LEFT JOIN model_sales AS following
        ON following.purchase_id = CASE WHEN sale.change_credit_milliunits > 0 THEN sale.next_purchase_id END
    WHERE sale.is_shared = 0
        AND (sale.refund_day IS NOT NULL OR sale.change_credit_milliunits > 0)
),

events AS (
    SELECT
        app_id, day_number, product_number, storefront, currency, price_source, offer,
        '' AS reason,
        version_id,
        CASE WHEN offer = 'free' THEN 0 ELSE purchases END AS sales,
        CASE WHEN offer = 'free' THEN 0 ELSE units END AS units,
        gross_milliunits,
        CASE WHEN offer = 'free' THEN purchases ELSE 0 END AS free_sales,
        0 AS refunds, 0 AS partial_refunds, 0 AS refunded_milliunits, 0 AS credit_milliunits,
        purchases AS entries
    FROM sold
    UNION ALL
    SELECT
        counted.app_id, refund.refund_day, product_number, storefront, currency, price_source, offer, refund.reason, 0, 0, 0, 0,
        0, count(*), sum(1 - refund.is_whole), coalesce(sum(refund.milliunits), 0), 0,
        count(*)
    FROM counted
    JOIN model_refund_events AS refund ON refund.purchase_id = counted.purchase_id
    WHERE refund.refund_day IS NOT NULL
    GROUP BY counted.app_id, refund.refund_day, product_number, storefront, currency, price_source, offer, refund.reason
    UNION ALL
    SELECT
        app_id, change_day, product_number, storefront, currency, price_source, offer, 'change', 0, 0, 0, 0, 0, 0, 0, 0,
        sum(change_credit_milliunits), count(*)
    FROM counted
    WHERE change_day IS NOT NULL
    GROUP BY app_id, change_day, product_number, storefront, currency, price_source, offer
)

SELECT
    app_id, day_number, product_number, storefront, currency, price_source, offer, reason, version_id, sales, units,
    gross_milliunits, free_sales, refunds, partial_refunds, refunded_milliunits, credit_milliunits, entries
FROM events
