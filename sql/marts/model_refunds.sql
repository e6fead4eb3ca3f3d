-- Refunded sales by the month of the sale, how long after it they were refunded, and why.
--
-- Grain: one row per app, product, storefront, currency, price source, day of the sale, days until the refund, reason and
-- version
-- Key: app_id, sale_day, product_number, storefront, currency, price_source, delay_days, reason, version_id
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id               INTEGER!  –           app and environment, by the loader's number
--   sale_day             INTEGER!  –           number of the local day of the sale
--   product_number       INTEGER!  –           product, by the loader's number; 0 where none is stated
--   storefront           TEXT!     –           country of the store; (none) where none is stated
--   currency             TEXT!     –           currency; (none) where no price is known
--   price_source         TEXT!     –           signed, list, or none
--   delay_days           INTEGER!  days        whole days from the sale to the refund
--   reason               TEXT!     –           app_issue, other, or untold
--   version_id           INTEGER!  –           version of the app whose document tells of the sale last, by the
--                                              loader's number; 0 where it states none
--   refund_day           INTEGER!  –           number of the local day of the last of them
--   refunds              INTEGER!  refunds     sales refunded
--   partial_refunds      INTEGER!  refunds     of these, those refunded in part
--   refunded_milliunits  INTEGER!  milliunits  what was refunded
WITH refunded AS (
    SELECT
        sale.app_id,
        sale.sold_day AS sale_day,
        sale.refund_day,
        coalesce(sale.product_number, 0) AS product_number,
        coalesce(sale.storefront, '(none)') AS storefront,
        coalesce(sale.currency, '(none)') AS currency,
        sale.price_source,
        CASE
            WHEN sale.refund_ms < sale.start_ms THEN 0
            ELSE CAST(floor(CAST(sale.refund_ms - sale.start_ms AS DOUBLE) / 86400000) AS BIGINT)
        END AS delay_days,
        CASE sale.revocation_reason WHEN 1 THEN 'app_issue' WHEN 0 THEN 'other' ELSE 'untold' END AS reason,
        coalesce(receipt.app_version_id, 0) AS version_id,
        1 - sale.is_whole_refund AS is_partial,
        coalesce(sale.refunded_milliunits, 0) AS refunded_milliunits
    FROM model_sales AS sale
    JOIN purchase ON purchase.purchase_id = sale.purchase_id
    LEFT JOIN receipt ON receipt.receipt_id = purchase.receipt_id
    WHERE sale.refund_ms IS NOT NULL
        AND sale.sold_day IS NOT NULL
)

SELECT
    app_id,
    sale_day,
    product_number,
    storefront,
    currency,
    price_source,
    delay_days,
    reason,
    version_id,
    max(refund_day) AS refund_day,
    count(*) AS refunds,
    sum(is_partial) AS partial_refunds,
    sum(refunded_milliunits) AS refunded_milliunits
FROM refunded
GROUP BY app_id, sale_day, product_number, storefront, currency, price_source, delay_days, reason, version_id
