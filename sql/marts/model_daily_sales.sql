-- Sales, refunds and credits for changes by day: a sale on the day it was made, a refund on the day of the refund, the
-- estimated credit on the day of the change. Members' shares are left out.
--
-- Grain: one row per app, day, product, storefront, currency, price source, offer, refund reason and version
-- Key: app_id, day_number, product_number, storefront, currency, price_source, offer, reason, version_id
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id               INTEGER!  –           app and environment, by the loader's number
--   day_number           INTEGER!  –           number of the local day of the sale, refund or change
--   product_number       INTEGER!  –           product, by the loader's number; 0 if none is stated
--   storefront           TEXT!     –           country of the store (ISO 3166, three letters); (none) if none is stated
--   currency             TEXT!     –           currency of the amounts; (none) if no price is known
--   price_source         TEXT!     –           signed: a signed transaction states the price; list: from your price
--                                              list; none: no price is known
--   offer                TEXT!     –           type of offer: introductory, promotional, offer_code, win_back,
--                                              retention, other_offer, or full (no offer); free if the sale cost
--                                              nothing
--   reason               TEXT!     –           for refunds the reason, as in model_refund_events; change for credits;
--                                              empty for sales
--   version_id           INTEGER!  –           for sales, app version in the newest document that states the sale, by
--                                              the loader's number; 0 if it states none
--   sales                INTEGER!  sales       number of paid transactions
--   units                INTEGER!  units       total quantity of the paid transactions
--   gross_milliunits     INTEGER!  milliunits  amount charged for the sales of the day
--   free_sales           INTEGER!  sales       number of transactions that cost nothing, trials included
--   refunds              INTEGER!  refunds     number of refunds made on the day, whole and partial
--   partial_refunds      INTEGER!  refunds     of the refunds, those of a part of the price
--   refunded_milliunits  INTEGER!  milliunits  amount of the refunds made on the day
--   credit_milliunits    INTEGER!  milliunits  estimated credit for periods that a change cut short
--   entries              INTEGER!  –           number of sales, refunds and changes that this row sums up
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

-- The sales that were refunded or changed, which are few.
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
