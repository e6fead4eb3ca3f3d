-- Refunded sales by the day of the sale, the delay until the refund, and the reason. A sale that was refunded in parts
-- is counted once, with its first refund; the refunded amount includes every part.
--
-- One row per app, day of the sale, product, storefront, currency, price source, days until the refund, reason and
-- version.
--
-- Columns:
--   app_id               –           app and environment, by the loader's number
--   sale_day             –           number of the local day of the sale
--   product_number       –           product, by the loader's number; 0 if none is stated
--   storefront           –           country of the store (ISO 3166, three letters); (none) if none is stated
--   currency             –           currency of the amounts; (none) if no price is known
--   price_source         –           signed: a signed transaction states the price; list: from your price list; none:
--                                    no price is known
--   delay_days           days        whole days from the sale to the refund
--   reason               –           reason of the refund: app_issue, other, or untold if none is stated; for items,
--                                    the stated reason in lower case; for seats, seats_estimated
--   version_id           –           version of the app in the document that states the sale last, by the loader's
--                                    number; 0 if it states none
--   refund_day           –           number of the local day of the last refund that this row counts
--   refunds              refunds     number of sales refunded
--   partial_refunds      refunds     of the refunds, those whose first refund returned a part of the price
--   refunded_milliunits  milliunits  amount refunded for the sales, every part included
CREATE VIEW internal_refunds AS
WITH refunded AS (
    SELECT
        sale.app_id, sale.sold_day AS sale_day, refund.refund_day,
        coalesce(sale.product_number, 0) AS product_number,
        coalesce(sale.storefront, '(none)') AS storefront,
        coalesce(sale.currency, '(none)') AS currency,
        sale.price_source,
        CASE
            WHEN refund.refund_ms < sale.start_ms THEN 0
            ELSE CAST(floor(CAST(refund.refund_ms - sale.start_ms AS DOUBLE) / CAST(86400000 AS DOUBLE)) AS BIGINT)
        END AS delay_days,
        refund.reason,
        coalesce(sale.version_id, 0) AS version_id,
        CASE WHEN refund.place = 1 THEN 1 ELSE 0 END AS is_first,
        CASE WHEN refund.place = 1 THEN 1 - refund.is_whole ELSE 0 END AS is_partial,
        coalesce(refund.milliunits, 0) AS refunded_milliunits
    FROM model_refund_events AS refund
    JOIN model_sales AS sale ON sale.purchase_id = refund.purchase_id
    WHERE sale.sold_day IS NOT NULL
        AND refund.refund_day IS NOT NULL
)

SELECT
    app_id, sale_day, product_number, storefront, currency, price_source, delay_days, reason, version_id,
    max(refund_day) AS refund_day,
    sum(is_first) AS refunds,
    sum(is_partial) AS partial_refunds,
    sum(refunded_milliunits) AS refunded_milliunits
FROM refunded
GROUP BY app_id, sale_day, product_number, storefront, currency, price_source, delay_days, reason, version_id;
