-- Sales and refunds of Apple's report files, for comparison with documents. Rows that are no sales are left out:
-- updates, repeated downloads, restored purchases, free downloads.
--
-- The view internal_store_lines decides which files count. If spans of a product of one developer account overlap, the
-- shorter ones count: for example, the days if files of days and of their month are loaded. A row of FINANCE_DETAIL is
-- compared by its transaction date, and counts on its settlement date.
--
-- The app is the one in which most sales of the product are known. If several apps or no known app sells the product,
-- it is the app of the account's other products with the same parent SKU, if there is exactly one.
--
-- Grain: one row per report, account, span of days, product, country, currency, unit price, and sale or refund
-- Key: report, vendor, first_day, last_day, store_day, product_id, country, currency, price_milliunits, is_refund, is_download
--
-- Columns:
--   report             TEXT!     –           kind of report file: sales, financial or finance_detail
--   vendor             TEXT!     –           developer account; empty if unknown
--   first_day          INTEGER!  –           number of the first Pacific day on which the sales were made
--   last_day           INTEGER!  –           number of the last Pacific day on which the sales were made
--   store_day          INTEGER!  –           number of the day under which the report counts the sales: the middle of
--                                            the span, or, in FINANCE_DETAIL, the settlement date
--   product_id         TEXT!     –           product identifier, the report's SKU
--   country            TEXT!     –           country of the store (ISO 3166, two letters); empty if none is stated
--   currency           TEXT!     –           currency of the customer's price; empty if none is stated
--   price_milliunits   INTEGER!  milliunits  price of one unit, as the report file states it
--   is_refund          INTEGER!  0 or 1      1: refunds; 0: sales
--   is_download        INTEGER!  0 or 1      1: downloads of the app itself
--   app_id             INTEGER!  –           app in Production, by the loader's number; 0 if unknown
--   units_thousandths  INTEGER!  –           units, in thousandths; negative for refunds
--   gross_milliunits   INTEGER!  milliunits  units times price; negative for refunds
WITH stated AS (
    SELECT
        line.report, line.vendor, line.sku, line.parent_sku, line.begins_day,
        CASE WHEN line.ends_day < line.begins_day THEN line.begins_day ELSE line.ends_day END AS ends_day,
        line.country, line.currency, line.price_milliunits, line.units_thousandths, line.gross_milliunits,
        CASE WHEN substr(line.product_type, 1, 1) = '1' OR substr(line.product_type, 1, 2) = 'F1' THEN 1 ELSE 0 END AS is_download
    FROM internal_store_lines AS line
    WHERE line.units_thousandths <> 0
        AND substr(coalesce(line.product_type, ''), 1, 1) NOT IN ('3', '7')
        AND substr(coalesce(line.product_type, ''), 1, 2) NOT IN ('F3', 'F7')
        AND substr(coalesce(line.product_type, ''), 1, 3) <> 'IA3'
),

counted AS (
    SELECT
        stated.report, stated.vendor, stated.begins_day AS first_day,
        CASE WHEN stated.report = 'finance_detail' THEN stated.begins_day ELSE stated.ends_day END AS last_day,
        CASE
            WHEN stated.report = 'finance_detail' THEN stated.ends_day
            ELSE CAST((stated.begins_day + stated.ends_day - (stated.begins_day + stated.ends_day) % 2) / 2 AS BIGINT)
        END AS store_day,
        stated.sku, stated.country, stated.currency, stated.price_milliunits,
        CASE WHEN stated.units_thousandths < 0 THEN 1 ELSE 0 END AS is_refund,
        stated.is_download,
        min(stated.parent_sku) AS parent_sku,
        sum(stated.units_thousandths) AS units_thousandths,
        sum(stated.gross_milliunits) AS gross_milliunits
    FROM stated
    WHERE stated.is_download = 0
        OR stated.price_milliunits > 0
    GROUP BY 1, 2, 3, 4, 5, stated.sku, stated.country, stated.currency, stated.price_milliunits, 10, stated.is_download
),

spans AS (SELECT DISTINCT report, vendor, sku, first_day, last_day FROM counted),

left_out AS (
    SELECT DISTINCT spans.report, spans.vendor, spans.sku, spans.first_day, spans.last_day
    FROM spans
    JOIN spans AS other
        ON other.report = spans.report
        AND other.vendor = spans.vendor
        AND other.sku = spans.sku
        AND other.first_day <= spans.last_day
        AND other.last_day >= spans.first_day
    WHERE spans.first_day < spans.last_day
        AND (
            other.last_day - other.first_day < spans.last_day - spans.first_day
            OR (other.last_day - other.first_day = spans.last_day - spans.first_day AND other.first_day < spans.first_day)
        )
),

sold_in AS (
    SELECT
        asked.sku, sale.app_id,
        row_number() OVER (PARTITION BY asked.sku ORDER BY count(*) DESC, sale.app_id) AS place,
        count(*) OVER (PARTITION BY asked.sku) AS apps
    FROM (SELECT DISTINCT sku FROM counted) AS asked
    JOIN product ON product.product_id = asked.sku
    JOIN model_sales AS sale ON sale.product_number = product.product_number
    JOIN app ON app.app_id = sale.app_id
    WHERE app.environment = 'Production'
    GROUP BY asked.sku, sale.app_id
),

parents AS (
    SELECT
        counted.vendor, counted.parent_sku, sold_in.app_id,
        row_number() OVER (PARTITION BY counted.vendor, counted.parent_sku ORDER BY min(sold_in.apps), count(*) DESC, sold_in.app_id)
            AS place,
        min(sold_in.apps) AS apps
    FROM (SELECT DISTINCT vendor, sku, parent_sku FROM counted) AS counted
    JOIN sold_in ON sold_in.sku = counted.sku
    WHERE counted.parent_sku IS NOT NULL
        AND sold_in.place = 1
    GROUP BY counted.vendor, counted.parent_sku, sold_in.app_id
)

SELECT
    counted.report, counted.vendor, counted.first_day, counted.last_day, counted.store_day, counted.sku AS product_id,
    counted.country, counted.currency, counted.price_milliunits, counted.is_refund, counted.is_download,
    -- Products that only one app sells identify the app of other products with the same parent SKU.
    CASE WHEN sold_in.apps > 1 AND parents.apps = 1 THEN parents.app_id ELSE coalesce(sold_in.app_id, parents.app_id, 0) END AS app_id,
    counted.units_thousandths, counted.gross_milliunits
FROM counted
LEFT JOIN left_out
    ON left_out.report = counted.report
    AND left_out.vendor = counted.vendor
    AND left_out.sku = counted.sku
    AND left_out.first_day = counted.first_day
    AND left_out.last_day = counted.last_day
LEFT JOIN sold_in ON sold_in.sku = counted.sku AND sold_in.place = 1
LEFT JOIN parents
    ON parents.vendor = counted.vendor
    AND parents.parent_sku = CASE WHEN counted.is_download = 1 THEN counted.sku ELSE counted.parent_sku END
    AND parents.place = 1
WHERE left_out.sku IS NULL
