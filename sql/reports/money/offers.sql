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
        environment,
        bundle_id,
        app_number,
        product_id,
        original_transaction_id,
        transaction_id,
        purchase_second,
        purchase_day,
        expiry_second,
        cancellation_second,
        is_upgraded,
        coalesce(storefront, '(none)') AS storefront,
        coalesce(currency, '(none)') AS currency,
        price_source,
        price_milliunits,
        quantity,
        sale,
        offer,
        offer_id,
        offer_discount_type
    FROM priced_purchases
    WHERE sale <> 'family'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

offered AS (
    SELECT DISTINCT app_number, original_transaction_id
    FROM bought
    WHERE offer IS NOT NULL
),

followed AS (
    SELECT
        bought.transaction_id,
        bought.app_number,
        CASE
            WHEN lag(bought.offer || ' ' || coalesce(bought.offer_id, '')) OVER later
                = bought.offer || ' ' || coalesce(bought.offer_id, '')
                THEN 0
            ELSE 1
        END AS is_taken,
        max(CASE WHEN bought.offer IS NULL AND bought.sale = 'full' THEN bought.purchase_second END)
            OVER (PARTITION BY bought.app_number, bought.original_transaction_id) AS last_full_second,
        -- What another product took the place of ended when that began, and that tells the end.
        max(CASE
            WHEN bought.is_upgraded = 1 THEN NULL
            WHEN bought.cancellation_second < bought.expiry_second THEN bought.cancellation_second
            ELSE bought.expiry_second
        END) OVER (PARTITION BY bought.app_number, bought.original_transaction_id) AS last_end_second
    FROM bought
    JOIN offered
        ON offered.original_transaction_id = bought.original_transaction_id
        AND offered.app_number = bought.app_number
    WINDOW later AS (
        PARTITION BY bought.app_number, bought.original_transaction_id
        ORDER BY bought.purchase_second, bought.transaction_id
    )
),

at_offer AS (
    SELECT *
    FROM (
        SELECT
            bought.*,
            max(CASE WHEN sale = 'full' AND price_milliunits IS NOT NULL THEN purchase_second END) OVER (
                PARTITION BY app_number, product_id, storefront, currency ORDER BY purchase_second
            ) AS full_second
        FROM bought
    ) AS placed
    WHERE offer IS NOT NULL
),

full_price AS (
    SELECT
        app_number,
        product_id,
        storefront,
        currency,
        purchase_second,
        max(CAST(price_milliunits AS DOUBLE) / quantity) AS price,
        max(expiry_second - purchase_second) AS seconds
    FROM bought
    WHERE sale = 'full'
        AND price_milliunits IS NOT NULL
    GROUP BY product_id, storefront, currency, purchase_second, app_number
),

known AS (
    -- Grouped, which lets SQLite look its rows up instead of reading all of them for each offer.
    SELECT app_number, subscription_id, max(known_until_ms) AS known_until_ms
    FROM subscription_horizons
    GROUP BY subscription_id, app_number
),

compared AS (
    SELECT
        at_offer.*,
        CAST(floor(
            full_price.price * at_offer.quantity * CASE
                WHEN at_offer.expiry_second - at_offer.purchase_second > full_price.seconds AND full_price.seconds > 0
                    THEN floor(
                        CAST(at_offer.expiry_second - at_offer.purchase_second AS DOUBLE) / full_price.seconds + 0.5)
                ELSE 1
            END + 0.5) AS BIGINT) AS full_milliunits,
        followed.is_taken,
        CASE
            WHEN followed.is_taken = 0 THEN NULL
            WHEN at_offer.expiry_second IS NULL THEN 'one_time'
            WHEN followed.last_full_second > at_offer.purchase_second THEN 'stayed'
            WHEN followed.last_end_second IS NULL THEN 'unknown'
            WHEN followed.last_end_second * 1000 > app_horizons.ms THEN 'running'
            WHEN followed.last_end_second * 1000 > coalesce(known.known_until_ms, 0) THEN 'unknown'
            ELSE 'ended'
        END AS state
    FROM at_offer
    JOIN followed
        ON followed.transaction_id = at_offer.transaction_id
        AND followed.app_number = at_offer.app_number
    LEFT JOIN full_price
        ON full_price.app_number = at_offer.app_number
        AND full_price.product_id = at_offer.product_id
        AND full_price.storefront = at_offer.storefront
        AND full_price.currency = at_offer.currency
        AND full_price.purchase_second = at_offer.full_second
        AND at_offer.price_milliunits IS NOT NULL
    LEFT JOIN app_horizons ON app_horizons.app_number = at_offer.app_number
    LEFT JOIN known
        ON known.subscription_id = at_offer.original_transaction_id
        AND known.app_number = at_offer.app_number
)

SELECT
    coalesce(compared.environment, '(none)') AS environment,
    coalesce(compared.bundle_id, '(none)') AS bundle_id,
    calendar.period AS month,
    coalesce(compared.product_id, '(none)') AS product_id,
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
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = compared.purchase_day
WHERE substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
GROUP BY 3, 4, 5, 6, 7, 8, 9, 10, 2, 1
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
