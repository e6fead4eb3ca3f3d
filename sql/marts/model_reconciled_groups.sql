-- The store's sales and ours side by side, in groups with the same span of days, product, country, currency, unit price
-- in whole minor units, and sale or refund. On each side, the units of a group are counted through, and each item
-- starts at from_units; items of the two sides match where they overlap. Our items in Production come first, then those
-- of Sandbox and members' shares, which explain what the store counts beyond these. Items that cost nothing have no
-- currency.
--
-- An item of ours has the span of days in which the store counts the product; if there is none, its own day.
--
-- If the store's rows of a product belong to several apps, as when two developer accounts use one product identifier,
-- sales are compared within each app. Otherwise the app is not compared, since the store's rows name none.
--
-- Grain: one row per item of a group on one side
-- Key: part, side, from_units
-- Kept: no
--
-- Columns:
--   part              INTEGER  –           number of the group of items that are compared
--   side              INTEGER  –           0: the store's report files; 1: our documents
--   from_units        INTEGER  –           thousandths of units of the group's items before this one, on its side (the
--                                          store's or ours)
--   other_units       INTEGER  –           thousandths of units of all items of the group on the other side
--   report            TEXT     –           kind of report file: sales, financial or finance_detail
--   first_day         INTEGER  –           number of the first Pacific day of the span
--   last_day          INTEGER  –           number of the last Pacific day of the span
--   kind              INTEGER  –           0: the store's side, or our sale or refund in Production; 1: in Sandbox; 2:
--                                          a member's share
--   product_id        TEXT     –           identifier of the product sold or refunded
--   country           TEXT     –           country of the store (ISO 3166, two letters); empty if none is known
--   currency          TEXT     –           currency of the price; empty if none is known
--   price_milliunits  INTEGER  milliunits  unit price, as the store's report files or our documents state it; -1 if
--                                          none is known
--   match_currency    TEXT     –           currency by which the item is compared; empty if the item costs nothing
--   match_milliunits  INTEGER  milliunits  unit price by which the item is compared, in whole minor units (such as
--                                          cents)
--   minor_milliunits  INTEGER  milliunits  the smallest unit of the currency, such as a cent
--   is_refund         INTEGER  0 or 1      1: refunds; 0: sales
--   is_download       INTEGER  0 or 1      1: downloads of the app itself
--   app_id            INTEGER  –           app and environment, by the loader's number; 0 if none is known
--   seller            INTEGER  –           app in Production within which the item is compared; 0: all apps are
--                                          compared together
--   day               INTEGER  –           number of the day under which the item's side (the store's or ours) counts
--                                          it
--   sold_day          INTEGER  –           for an item of our documents, number of the Pacific day of the sale
--   match_day         INTEGER  –           number of the Pacific day by which the item is compared
--   units             INTEGER  –           units, in thousandths; positive for refunds, too
--   gross             INTEGER  milliunits  units times price; positive for refunds, too
WITH shared AS (
    SELECT report, product_id
    FROM model_store_sales
    WHERE app_id > 0
    GROUP BY report, product_id
    HAVING min(app_id) < max(app_id)
),

store AS (
    SELECT sale.*, CASE WHEN shared.report IS NULL THEN 0 ELSE sale.app_id END AS seller
    FROM model_store_sales AS sale
    LEFT JOIN shared ON shared.report = sale.report AND shared.product_id = sale.product_id
),

days AS (
    SELECT report, product_id, seller, first_day, last_day, day_number
    FROM (
        SELECT
            span.report, span.product_id, span.seller, span.first_day, span.last_day, day.day_number,
            row_number() OVER (
                PARTITION BY span.report, span.product_id, span.seller, day.day_number
                ORDER BY span.last_day - span.first_day, span.first_day
            ) AS place
        FROM (SELECT DISTINCT report, product_id, seller, first_day, last_day FROM store) AS span
        JOIN model_days AS day ON day.day_number >= span.first_day AND day.day_number <= span.last_day
    ) AS spanned
    -- Spans of two developer accounts that sell a product of one app may overlap, so the shortest span that has the day
    -- counts.
    WHERE place = 1
),

-- Rows of FINANCE_DETAIL may concern sales long before the months in which they were settled.
told AS (
    SELECT report, min(day_number) AS from_day, max(day_number) AS until_day
    FROM (SELECT report, day_number FROM model_store_days UNION ALL SELECT report, first_day FROM model_store_sales) AS days_told
    GROUP BY report
),

-- For each app, also in Sandbox, the same app in Production.
sellers AS (
    SELECT app.app_id, coalesce(production.app_id, app.app_id) AS seller
    FROM app
    LEFT JOIN app AS production ON production.bundle_id = app.bundle_id AND production.environment = 'Production'
),

ours AS (
    SELECT told.report, own.*, CASE WHEN shared.report IS NULL THEN 0 ELSE sellers.seller END AS seller
    FROM told
    JOIN model_own_sales AS own ON own.match_day >= told.from_day - 31 AND own.match_day <= told.until_day + 31
    JOIN sellers ON sellers.app_id = own.app_id
    LEFT JOIN shared ON shared.report = told.report AND shared.product_id = own.product_id
    -- Free trials and other sales without money are never settled, so only sales reports are compared with them.
    WHERE told.report = 'sales'
        OR own.price_milliunits <> 0
),

items AS (
    SELECT
        report, 0 AS side, first_day, last_day, 0 AS kind, product_id, country, currency, price_milliunits, is_refund,
        is_download, app_id, seller, store_day AS day, first_day AS sold_day, first_day AS match_day,
        abs(units_thousandths) AS units, gross_milliunits * (1 - 2 * is_refund) AS gross
    FROM store
    UNION ALL
    SELECT
        own.report, 1, coalesce(days.first_day, own.match_day), coalesce(days.last_day, own.match_day), own.kind, own.product_id,
        own.country, own.currency, own.price_milliunits, own.is_refund, 0, own.app_id, own.seller, own.own_day, own.sold_day,
        own.match_day, abs(own.units_thousandths), own.gross_milliunits * (1 - 2 * own.is_refund)
    FROM ours AS own
    LEFT JOIN days
        ON days.report = own.report AND days.product_id = own.product_id AND days.day_number = own.match_day
        AND days.seller = own.seller
),

-- There are few currencies, so digits are looked up once.
currencies AS (
    SELECT
        told.currency,
        CASE digits.digits WHEN 0 THEN 1000 WHEN 3 THEN 1 WHEN 4 THEN 1 ELSE 10 END AS minor_milliunits
    FROM (SELECT currency FROM model_store_sales UNION SELECT currency FROM model_own_sales) AS told
    LEFT JOIN internal_currency_digits AS digits ON digits.currency = told.currency
),

keyed AS (
    SELECT
        items.*, currencies.minor_milliunits,
        CASE WHEN price_milliunits = 0 OR kind = 2 THEN '' ELSE items.currency END AS match_currency,
        CASE
            -- A member's share costs nothing, whatever price the transaction states.
            WHEN kind = 2 THEN 0
            WHEN price_milliunits < 0 THEN price_milliunits
            ELSE CAST(floor(CAST(price_milliunits AS DOUBLE) / minor_milliunits + 0.5) AS BIGINT) * minor_milliunits
        END AS match_milliunits
    FROM items
    JOIN currencies ON currencies.currency = items.currency
),

parts AS (
    SELECT
        dense_rank() OVER (
            ORDER BY first_day, product_id, match_milliunits, country, match_currency, is_refund, last_day, report, seller
        ) AS part,
        keyed.*
    FROM keyed
)

SELECT
    part, side,
    sum(units) OVER (
        PARTITION BY part, side
        ORDER BY kind, match_day, day, sold_day, currency, price_milliunits, app_id, is_download
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) - units AS from_units,
    sum(CASE side WHEN 0 THEN units ELSE 0 END) OVER (PARTITION BY part) * side
        + sum(CASE side WHEN 1 THEN units ELSE 0 END) OVER (PARTITION BY part) * (1 - side) AS other_units,
    report, first_day, last_day, kind, product_id, country, currency, price_milliunits, match_currency, match_milliunits,
    minor_milliunits, is_refund, is_download, app_id, seller, day, sold_day, match_day, units, gross
FROM parts
