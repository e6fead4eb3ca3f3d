-- offers: Offers, what they cost, and who stayed
-- Who took which offer, how much less was paid than the full price, and who paid the full price afterwards?
--
-- Grain: one row per environment, bundle_id, month, product_id, storefront, currency, price_source, offer, offer_id,
--        offer_discount_type
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all      bundle identifier of the app; or all
--   :from         month          2008-01  first month shown; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment          text     environment of the purchases
--   bundle_id            text     bundle identifier of the app
--   month                month    month of the purchases at the offer, in UTC; with :grain week the Monday of the week,
--                                 with day the day
--   product_id           text     product bought
--   storefront           text     country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency             text     currency of the price (ISO 4217); (none) where there is no price
--   price_source         text     signed: the store signed the price; list: your list's price; none: no price
--   offer                text     introductory, promotional, offer_code, win_back or other_offer; trials are among each
--   offer_id             text     the offer's identifier or code; (none) where nothing tells it
--   offer_discount_type  text     FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or another; (none) where nothing tells it
--   taken                integer  times the offer was taken in the month: first purchases at it
--   stayed               integer  of these, those after which a purchase at full price began in the subscription
--   ended                integer  of these, those whose subscription ended without one
--   running              integer  of these, those whose subscription still ran at the app's newest document without one
--   unknown              integer  of these, those whose subscription's last known period is over, and nothing made
--                                 since says what became of it
--   one_time             integer  of these, those that bought no subscription
--   stayed_share         share    stayed per stayed and ended; null where there is neither
--   purchases            integer  purchases at the offer in the month: also later periods of offers taken before
--   price_milliunits     integer(milliunits)  what was paid for them, in thousandths of the currency
--   compared             integer  of these purchases, those whose full price is known
--   full_milliunits      integer(milliunits)  the full prices of the compared ones
--   discount_milliunits  integer(milliunits)  full_milliunits less what was paid for the compared ones
--
-- Chart: bars  x=month  y=taken  series=offer
--
-- Notes:
--   The full price is that of the newest sale of the product at full price, in the same
--   storefront and currency, up to the moment of the offer's purchase. An offer that runs
--   for several regular periods is compared with as many full prices, to the nearest whole
--   number; a shorter one with one. Prices that rose or fell since are not looked at, and a
--   discount below 0 means that the price of the newest sale was the lower one.
--   The discount is no loss of revenue: nobody knows who would have paid the full price.
--   The states follow a subscription to any of its products. Stayed counts those who paid
--   the full price once, also where it was refunded since; later offers without it don't
--   count. Ended includes subscriptions that a retry of the payment may still revive.
--   Receipts name no identifiers of offers but those of promotional ones, and a trial in
--   them counts as introductory. Signed data of before 2023-11 lacks discount types.
--
-- Example:
--   receiptmill report offers --database mill.sqlite --param from=2025-01

WITH bought AS (
    SELECT
        sold.app_number,
        sold.product_number,
        sold.original_number,
        sold.transaction_number,
        sold.sold_ms AS purchase_ms,
        sold.purchase_day,
        sold.expiry_ms,
        sold.cancellation_ms,
        sold.is_upgraded,
        coalesce(sold.storefront, '(none)') AS storefront,
        coalesce(sold.currency, '(none)') AS currency,
        sold.price_source,
        sold.price_milliunits,
        sold.quantity,
        sold.sale,
        sold.offer,
        sold.offer_id,
        sold.offer_discount_type
    FROM sales_by_number AS sold
    JOIN app_names ON app_names.app_number = sold.app_number
    WHERE sold.sale <> 'family'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
),

offered AS (
    SELECT DISTINCT app_number, original_number
    FROM bought
    WHERE offer IS NOT NULL
),

-- Of these subscriptions alone. The order of the tables is stated, so that SQLite looks up the few.
followed AS (
    SELECT
        bought.app_number,
        bought.original_number,
        bought.transaction_number,
        bought.purchase_ms,
        bought.offer || ' ' || coalesce(bought.offer_id, '') AS taken,
        CASE WHEN bought.offer IS NULL AND bought.sale = 'full' THEN bought.purchase_ms END AS full_ms,
        -- What another product took the place of ended when that began, and that tells the end.
        CASE
            WHEN bought.is_upgraded = 1 THEN NULL
            WHEN bought.cancellation_ms < bought.expiry_ms THEN bought.cancellation_ms
            ELSE bought.expiry_ms
        END AS end_ms
    FROM bought
    CROSS JOIN offered
    WHERE offered.original_number = bought.original_number
        AND offered.app_number = bought.app_number
),

taken AS (
    SELECT app_number, transaction_number, is_taken
    FROM (
        SELECT
            app_number,
            transaction_number,
            taken,
            CASE WHEN lag(taken) OVER later = taken THEN 0 ELSE 1 END AS is_taken
        FROM followed
        WINDOW later AS (
            PARTITION BY original_number, app_number
            ORDER BY purchase_ms, CAST(transaction_number AS VARCHAR(20))
        )
    ) AS placed
    WHERE taken IS NOT NULL
),

lasting AS (
    SELECT
        app_number,
        original_number,
        max(full_ms) AS last_full_ms,
        max(end_ms) AS last_end_ms
    FROM followed
    GROUP BY original_number, app_number
),

at_offer AS (
    SELECT *
    FROM (
        SELECT
            bought.*,
            max(CASE WHEN sale = 'full' AND price_milliunits IS NOT NULL THEN purchase_ms END) OVER (
                PARTITION BY app_number, product_number, storefront, currency ORDER BY purchase_ms
            ) AS full_ms
        FROM bought
        WHERE offer IS NOT NULL
            OR (sale = 'full' AND price_milliunits IS NOT NULL)
    ) AS placed
    WHERE offer IS NOT NULL
),

full_price AS (
    SELECT
        app_number,
        product_number,
        storefront,
        currency,
        purchase_ms,
        max(CAST(price_milliunits AS DOUBLE) / quantity) AS price,
        max(expiry_ms - purchase_ms) AS length_ms
    FROM bought
    WHERE sale = 'full'
        AND price_milliunits IS NOT NULL
    GROUP BY product_number, storefront, currency, purchase_ms, app_number
),

known AS (
    -- Grouped, which lets SQLite look its rows up instead of reading all of them for each offer.
    SELECT app_number, original_number, max(known_until_ms) AS known_until_ms
    FROM subscription_horizons
    GROUP BY original_number, app_number
),

compared AS (
    SELECT
        at_offer.*,
        CAST(floor(
            full_price.price * at_offer.quantity * CASE
                WHEN at_offer.expiry_ms - at_offer.purchase_ms > full_price.length_ms AND full_price.length_ms > 0
                    THEN floor(
                        CAST(at_offer.expiry_ms - at_offer.purchase_ms AS DOUBLE) / full_price.length_ms + 0.5)
                ELSE 1
            END + 0.5) AS BIGINT) AS full_milliunits,
        taken.is_taken,
        CASE
            WHEN taken.is_taken = 0 THEN NULL
            WHEN at_offer.expiry_ms IS NULL THEN 'one_time'
            WHEN lasting.last_full_ms > at_offer.purchase_ms THEN 'stayed'
            WHEN lasting.last_end_ms IS NULL THEN 'unknown'
            WHEN lasting.last_end_ms > app_horizons.ms THEN 'running'
            WHEN lasting.last_end_ms > coalesce(known.known_until_ms, 0) THEN 'unknown'
            ELSE 'ended'
        END AS state
    FROM at_offer
    JOIN taken
        ON taken.transaction_number = at_offer.transaction_number
        AND taken.app_number = at_offer.app_number
    JOIN lasting
        ON lasting.original_number = at_offer.original_number
        AND lasting.app_number = at_offer.app_number
    LEFT JOIN full_price
        ON full_price.app_number = at_offer.app_number
        AND full_price.product_number = at_offer.product_number
        AND full_price.storefront = at_offer.storefront
        AND full_price.currency = at_offer.currency
        AND full_price.purchase_ms = at_offer.full_ms
        AND at_offer.price_milliunits IS NOT NULL
    LEFT JOIN app_horizons ON app_horizons.app_number = at_offer.app_number
    LEFT JOIN known
        ON known.original_number = at_offer.original_number
        AND known.app_number = at_offer.app_number
)

SELECT
    coalesce(app_names.environment, '(none)') AS environment,
    coalesce(app_names.bundle_id, '(none)') AS bundle_id,
    calendar.period AS month,
    coalesce(product_names.product_id, '(none)') AS product_id,
    compared.storefront,
    compared.currency,
    compared.price_source,
    compared.offer,
    coalesce(compared.offer_id, '(none)') AS offer_id,
    coalesce(compared.offer_discount_type, '(none)') AS offer_discount_type,
    sum(compared.is_taken) AS taken,
    sum(CASE WHEN compared.state = 'stayed' THEN 1 ELSE 0 END) AS stayed,
    sum(CASE WHEN compared.state = 'ended' THEN 1 ELSE 0 END) AS ended,
    sum(CASE WHEN compared.state = 'running' THEN 1 ELSE 0 END) AS running,
    sum(CASE WHEN compared.state = 'unknown' THEN 1 ELSE 0 END) AS unknown,
    sum(CASE WHEN compared.state = 'one_time' THEN 1 ELSE 0 END) AS one_time,
    round(
        CAST(sum(CASE WHEN compared.state = 'stayed' THEN 1 ELSE 0 END) AS DOUBLE)
        / nullif(sum(CASE WHEN compared.state IN ('stayed', 'ended') THEN 1 ELSE 0 END), 0), 4) AS stayed_share,
    count(*) AS purchases,
    sum(compared.price_milliunits) AS price_milliunits,
    count(compared.full_milliunits) AS compared,
    sum(compared.full_milliunits) AS full_milliunits,
    sum(compared.full_milliunits - compared.price_milliunits) AS discount_milliunits
FROM compared
JOIN app_names ON app_names.app_number = compared.app_number
LEFT JOIN product_names ON product_names.product_number = compared.product_number
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = compared.purchase_day
WHERE substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
GROUP BY 3, 4, 5, 6, 7, 8, 9, 10, 2, 1
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
