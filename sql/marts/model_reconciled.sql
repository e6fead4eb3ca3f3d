-- Apple's report files compared with documents: each unit of either side counts once, with a class that says why the
-- sides differ. Columns store_* sum the rows of the report that count; columns our_* sum the sales and refunds of
-- model_own_sales on the days of the report's files. Groups are compared, never single transactions.
--
-- A row has both days if the sides agree on the units, even on different days; in reports by month there is no
-- difference if both days lie in one month. Classes:
--
-- - agreed
-- - day_edge: the day in the database's time zone is not the Pacific day
-- - settled_later: the store counts the units up to ten days later, in FINANCE_DETAIL on their settlement date
-- - billing_retry: the store counts the units on the day of the payment
-- - rounding: for each unit sold, the amounts differ by at most half a cent (half of the currency's smallest unit)
-- - sandbox, family_assigned: the store has more units, and transactions of Sandbox or members' shares explain them
-- - refund_dated_elsewhere: the sides date the refund differently, within 31 days
-- - price_changed: same days, product, country and currency, but another price
-- - price_unknown: no price or no country is known for our units, which are matched by product and days
-- - not_in_archive: only the store's report has the units
-- - not_in_report: only our documents have the units
-- - report_missing: only our documents have the units, and no file covers the day
-- - unexplained: the units agree, the money does not
--
-- Grain: one row per report, pair of days, app, product, country, currency, unit price and class, sales and refunds apart
-- Key: report, store_day, our_day, app_id, product_id, country, currency, price_milliunits, class, is_refund, is_download
--
-- Columns:
--   report            TEXT!     –           kind of report file: sales, financial or finance_detail
--   store_day         INTEGER!  –           number of the day under which the store's report counts the units; -1 if it
--                                           does not count them
--   our_day           INTEGER!  –           number of the day of our sale or refund, in the database's time zone; -1 if
--                                           no document states a sale in Production
--   app_id            INTEGER!  –           app in Production; 0 if none is known
--   product_id        TEXT!     –           product identifier; for downloads the app's SKU
--   country           TEXT!     –           country of the store (ISO 3166, two letters); empty if none is known
--   currency          TEXT!     –           currency of the amounts; empty if none is known
--   price_milliunits  INTEGER!  milliunits  unit price, the store's if it states one; -1 if none is known
--   class             TEXT!     –           why the store's report and our documents differ, such as day_edge or
--                                           not_in_archive; agreed if they do not differ
--   is_refund         INTEGER!  0 or 1      1: refunds; 0: sales
--   is_download       INTEGER!  0 or 1      1: downloads of the app itself
--   store_units       INTEGER!  –           the store's units, in thousandths; negative for refunds
--   our_units         INTEGER!  –           units by our documents, in thousandths; negative for refunds
--   store_gross       INTEGER!  milliunits  the store's units times price; negative for refunds
--   our_gross         INTEGER!  milliunits  amount charged, or, if negative, amount refunded, by the prices of
--                                           documents or of your price list
WITH pairs AS (
    SELECT
        store.report, store.first_day, store.last_day, store.app_id, store.product_id, store.country, store.currency,
        store.price_milliunits, store.is_refund, store.is_download, store.minor_milliunits, store.day AS store_day, own.day AS our_day,
        own.kind, own.sold_day, own.match_day,
        store.units AS store_units, store.gross AS store_gross, own.units AS our_units, own.gross AS our_gross,
        -- The units in which both items overlap, as offsets within each.
        CASE WHEN own.from_units > store.from_units THEN own.from_units - store.from_units ELSE 0 END AS store_from,
        CASE WHEN own.from_units < store.from_units THEN store.from_units - own.from_units ELSE 0 END AS our_from,
        CASE
            WHEN own.from_units + own.units < store.from_units + store.units THEN own.from_units + own.units
            ELSE store.from_units + store.units
        END - CASE WHEN own.from_units > store.from_units THEN own.from_units ELSE store.from_units END AS units
    FROM model_reconciled_groups AS store
    JOIN model_reconciled_groups AS own
        ON own.part = store.part
        AND own.side = 1
        AND own.from_units < store.from_units + store.units
        AND own.from_units + own.units > store.from_units
    WHERE store.side = 0
),

-- The money of a part of an item is the difference of two rounded shares, so that parts add up to the whole.
paired AS (
    SELECT
        pairs.*,
        CAST(floor(CAST(store_gross AS DOUBLE) * (store_from + units) / store_units + 0.5) AS BIGINT)
            - CAST(floor(CAST(store_gross AS DOUBLE) * store_from / store_units + 0.5) AS BIGINT) AS store_money,
        CAST(floor(CAST(our_gross AS DOUBLE) * (our_from + units) / our_units + 0.5) AS BIGINT)
            - CAST(floor(CAST(our_gross AS DOUBLE) * our_from / our_units + 0.5) AS BIGINT) AS our_money
    FROM pairs
),

rest AS (
    SELECT
        item.part, item.side, item.from_units, dated.from_unit, dated.units, dated.other_day, dated.is_retried, item.report,
        item.first_day, item.last_day, dated.app_id, item.seller, item.product_id, item.country, item.currency,
        item.price_milliunits,
        CASE WHEN dated.other_day IS NULL OR item.side = 0 THEN item.price_milliunits ELSE item.match_milliunits END
            AS shown_milliunits,
        item.is_refund, item.is_download, item.day, item.match_day,
        item.units AS item_units, item.gross AS item_gross,
        CASE WHEN item.price_milliunits = 0 THEN 1 ELSE 0 END AS is_free,
        CASE
            WHEN dated.other_day IS NOT NULL THEN 'dated'
            WHEN item.side = 0 THEN 'store'
            WHEN item.price_milliunits < 0 OR item.country = '' OR (item.currency = '' AND item.price_milliunits > 0) THEN 'unknown'
            ELSE 'known'
        END AS state
    FROM model_reconciled_dates AS dated
    JOIN model_reconciled_groups AS item
        ON item.part = dated.part AND item.side = dated.side AND item.from_units = dated.from_units
),

-- Our units and the store's of one span that differ only by price are paired in the order of prices.
by_price AS (
    SELECT
        rest.*,
        sum(units) OVER (
            PARTITION BY report, first_day, last_day, product_id, seller, country, currency, is_refund, is_free, state
            ORDER BY price_milliunits, part, from_units, from_unit
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) - units AS units_before,
        CASE state
            WHEN 'store' THEN sum(CASE state WHEN 'known' THEN units ELSE 0 END) OVER same
            WHEN 'known' THEN sum(CASE state WHEN 'store' THEN units ELSE 0 END) OVER same
            ELSE 0
        END AS units_there
    FROM rest
    WINDOW same AS (PARTITION BY report, first_day, last_day, product_id, seller, country, currency, is_refund, is_free)
),

halves AS (SELECT 0 AS is_left UNION ALL SELECT 1),

priced AS (
    SELECT
        part, side, from_units, other_day, is_retried, report, first_day, last_day, app_id, seller, product_id, country,
        currency, price_milliunits, shown_milliunits, is_refund, is_download, day, match_day, item_units, item_gross, is_free,
        CASE is_left WHEN 0 THEN 'changed' ELSE state END AS state,
        from_unit + is_left * taken AS from_unit,
        CASE is_left WHEN 0 THEN taken ELSE units - taken END AS units
    FROM (
        SELECT
            by_price.*,
            CASE
                WHEN units_before >= units_there THEN 0
                WHEN units_before + units > units_there THEN units_there - units_before
                ELSE units
            END AS taken
        FROM by_price
    ) AS compared
    JOIN halves ON (is_left = 0 AND taken > 0) OR (is_left = 1 AND taken < units)
),

-- Our sales without a known price or country are paired in the same way.
by_units AS (
    SELECT
        priced.*,
        sum(units) OVER (
            PARTITION BY report, first_day, last_day, product_id, seller, is_refund, is_free, state
            ORDER BY price_milliunits, part, from_units, from_unit
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) - units AS units_before,
        CASE state
            WHEN 'store' THEN sum(CASE state WHEN 'unknown' THEN units ELSE 0 END) OVER same
            WHEN 'unknown' THEN sum(CASE state WHEN 'store' THEN units ELSE 0 END) OVER same
            ELSE 0
        END AS units_there
    FROM priced
    WINDOW same AS (PARTITION BY report, first_day, last_day, product_id, seller, is_refund, is_free)
),

judged AS (
    SELECT
        compared.*, is_left,
        from_unit + is_left * taken AS unit_from,
        from_unit + CASE is_left WHEN 0 THEN taken ELSE units END AS unit_until
    FROM (
        SELECT
            by_units.*,
            CASE
                WHEN units_before >= units_there THEN 0
                WHEN units_before + units > units_there THEN units_there - units_before
                ELSE units
            END AS taken
        FROM by_units
    ) AS compared
    JOIN halves ON (is_left = 0 AND taken > 0) OR (is_left = 1 AND taken < units)
),

told AS (SELECT report, min(day_number) AS from_day, max(day_number) AS until_day FROM model_store_days GROUP BY report),

pieces AS (
    SELECT
        report, store_day,
        CASE kind WHEN 0 THEN our_day ELSE -1 END AS our_day,
        app_id, product_id, country, currency, price_milliunits,
        CASE
            WHEN kind = 1 THEN 'sandbox'
            WHEN kind = 2 THEN 'family_assigned'
            -- Cutting units into fractions may shift a milliunit, so a difference of one milliunit does not count.
            WHEN (abs(store_money - our_money) - 1) * 2000 > units * minor_milliunits THEN 'unexplained'
            WHEN match_day <> sold_day THEN 'billing_retry'
            WHEN report = 'finance_detail' AND store_day <> first_day THEN 'settled_later'
            WHEN our_day <> sold_day THEN 'day_edge'
            WHEN store_money <> our_money THEN 'rounding'
            ELSE 'agreed'
        END AS class,
        is_refund, is_download, units AS store_units,
        CASE kind WHEN 0 THEN units ELSE 0 END AS our_units,
        store_money AS store_gross,
        CASE kind WHEN 0 THEN our_money ELSE 0 END AS our_gross
    FROM paired
    UNION ALL
    SELECT
        judged.report,
        CASE judged.side WHEN 0 THEN judged.day ELSE coalesce(judged.other_day, -1) END,
        CASE judged.side WHEN 1 THEN judged.day ELSE coalesce(judged.other_day, -1) END,
        judged.app_id, judged.product_id, judged.country, judged.currency, judged.shown_milliunits,
        CASE
            WHEN judged.state = 'dated' AND judged.is_refund = 1 THEN 'refund_dated_elsewhere'
            WHEN judged.state = 'dated' AND judged.is_retried = 1 THEN 'billing_retry'
            WHEN judged.state = 'dated' THEN 'settled_later'
            WHEN judged.state = 'changed' THEN 'price_changed'
            WHEN judged.is_left = 0 THEN 'price_unknown'
            WHEN judged.side = 0 THEN 'not_in_archive'
            WHEN day.day_number IS NOT NULL THEN 'not_in_report'
            ELSE 'report_missing'
        END,
        judged.is_refund, judged.is_download,
        CASE judged.side WHEN 0 THEN unit_until - unit_from ELSE 0 END,
        CASE judged.side WHEN 1 THEN unit_until - unit_from ELSE 0 END,
        CASE judged.side WHEN 0 THEN money ELSE 0 END,
        CASE judged.side WHEN 1 THEN money ELSE 0 END
    FROM (
        SELECT
            judged.*,
            CAST(floor(CAST(item_gross AS DOUBLE) * unit_until / item_units + 0.5) AS BIGINT)
                - CAST(floor(CAST(item_gross AS DOUBLE) * unit_from / item_units + 0.5) AS BIGINT) AS money
        FROM judged
    ) AS judged
    JOIN told ON told.report = judged.report
    LEFT JOIN model_store_days AS day
        ON day.report = judged.report
        AND day.day_number = CASE judged.side WHEN 1 THEN judged.match_day END
    -- Our sales before and after the days of all files are left out, unless the files have them.
    WHERE judged.side = 0
        OR judged.state IN ('dated', 'changed')
        OR judged.is_left = 0
        OR judged.match_day BETWEEN told.from_day AND told.until_day
)

SELECT
    report, store_day, our_day, app_id, product_id, country, currency, price_milliunits, class, is_refund, is_download,
    sum(store_units * (1 - 2 * is_refund)) AS store_units,
    sum(our_units * (1 - 2 * is_refund)) AS our_units,
    sum(store_gross * (1 - 2 * is_refund)) AS store_gross,
    sum(our_gross * (1 - 2 * is_refund)) AS our_gross
FROM pieces
GROUP BY report, store_day, our_day, app_id, product_id, country, currency, price_milliunits, class, is_refund, is_download
