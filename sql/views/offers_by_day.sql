-- Purchases at an offer, counted by day and by number: what the report offers shows with names.
--
-- Columns:
--   app_number           –                –  the app's number in this database alone
--   product_number       –                –  the product's number in this database alone
--   storefront           –                –  as in purchases
--   currency             –                –  as in priced_purchases
--   price_source         –                –  as in priced_purchases
--   offer                –                –  as in priced_purchases
--   offer_id             –                –  as in priced_purchases
--   offer_discount_type  –                –  as in purchases
--   purchase_day         days since 1970  –  as in priced_purchases
--   taken                times            –  how often the offer was taken: first purchases at it
--   stayed               times            –  of these, those after which a purchase at full price began in the subscription
--   ended                times            –  of these, those whose subscription ended without one
--   running              times            –  of these, those whose subscription ran at the app's newest document without one
--   unknown              times            –  of these, those of which nothing tells what became of the subscription
--   one_time             times            –  of these, those that bought no subscription
--   purchases            purchases        –  purchases at the offer: later periods of offers taken before, too
--   price_milliunits     milliunits       –  what was paid for them
--   compared             purchases        –  of these purchases, those whose full price is known
--   full_milliunits      milliunits       –  the full prices of the compared ones
--   discount_milliunits  milliunits       –  full_milliunits less what was paid for the compared ones
CREATE VIEW offers_by_day AS
WITH bought AS (
    SELECT
        app_number,
        product_number,
        original_number,
        transaction_number,
        sold_ms AS purchase_ms,
        purchase_day,
        expiry_ms,
        cancellation_ms,
        is_upgraded,
        -- As texts, since what is unknown of a sale and of an offer is alike.
        coalesce(storefront, '(none)') AS storefront,
        coalesce(currency, '(none)') AS currency,
        price_source,
        price_milliunits,
        quantity,
        sale,
        offer,
        offer_id,
        offer_discount_type
    FROM sales_by_number
    WHERE sale <> 'family'
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
    app_number,
    product_number,
    nullif(storefront, '(none)') AS storefront,
    nullif(currency, '(none)') AS currency,
    price_source,
    offer,
    offer_id,
    offer_discount_type,
    purchase_day,
    sum(is_taken) AS taken,
    sum(CASE WHEN state = 'stayed' THEN 1 ELSE 0 END) AS stayed,
    sum(CASE WHEN state = 'ended' THEN 1 ELSE 0 END) AS ended,
    sum(CASE WHEN state = 'running' THEN 1 ELSE 0 END) AS running,
    sum(CASE WHEN state = 'unknown' THEN 1 ELSE 0 END) AS unknown,
    sum(CASE WHEN state = 'one_time' THEN 1 ELSE 0 END) AS one_time,
    count(*) AS purchases,
    sum(price_milliunits) AS price_milliunits,
    count(full_milliunits) AS compared,
    sum(full_milliunits) AS full_milliunits,
    sum(full_milliunits - price_milliunits) AS discount_milliunits
FROM compared
-- The keys that differ most come first, which makes the sort cheaper.
GROUP BY
    purchase_day, product_number, offer, storefront, currency, price_source, offer_id, offer_discount_type, app_number;
