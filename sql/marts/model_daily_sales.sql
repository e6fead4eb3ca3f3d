-- Sales, refunds and credits for changes by day: a sale on the day it was made, a refund on the day of the refund, the
-- estimated credit on the day of the change. Members' shares are none of them.
--
-- Grain: one row per app, day, product, storefront, currency, price source, offer and refund reason
-- Key: app_id, day_number, product_number, storefront, currency, price_source, offer, reason
--
-- Columns:
--   app_id               INTEGER  –           app and environment, by the loader's number
--   day_number           INTEGER  –           number of the local day
--   product_number       INTEGER  –           product, by the loader's number; 0 where none is stated
--   storefront           TEXT     –           country of the store; (none) where none is stated
--   currency             TEXT     –           currency; (none) where no price is known
--   price_source         TEXT     –           signed, list, or none
--   offer                TEXT     –           full, introductory, promotional, offer_code, win_back, other_offer; free
--                                             for what cost nothing
--   reason               TEXT     –           of refunds: app_issue, other, or untold; empty of sales
--   sales                INTEGER  sales       paid transactions
--   units                INTEGER  units       quantity of them
--   gross_milliunits     INTEGER  milliunits  what was charged
--   free_sales           INTEGER  sales       transactions that cost nothing, trials among them
--   refunds              INTEGER  refunds     transactions refunded
--   partial_refunds      INTEGER  refunds     of these, those refunded in part
--   refunded_milliunits  INTEGER  milliunits  what was refunded
--   credit_milliunits    INTEGER  milliunits  estimate of what the store gave back for periods that a change cut short
WITH counted AS (
    SELECT
        app_id,
        coalesce(product_number, 0) AS product_number,
        coalesce(storefront, '(none)') AS storefront,
        coalesce(currency, '(none)') AS currency,
        price_source,
        CASE WHEN price_milliunits = 0 OR (price_milliunits IS NULL AND is_trial = 1) THEN 'free' ELSE offer END AS offer,
        quantity,
        price_milliunits,
        start_ms,
        refund_ms,
        refunded_milliunits,
        is_whole_refund,
        CASE revocation_reason WHEN 1 THEN 'app_issue' WHEN 0 THEN 'other' ELSE 'untold' END AS reason,
        next_start_ms,
        change_credit_milliunits
    FROM model_sales
    WHERE is_shared = 0
        AND start_ms IS NOT NULL
),

events AS (
    SELECT
        app_id,
        product_number,
        storefront,
        currency,
        price_source,
        offer,
        '' AS reason,
        start_ms AS ms,
        CASE WHEN offer = 'free' THEN 0 ELSE 1 END AS sales,
        CASE WHEN offer = 'free' THEN 0 ELSE quantity END AS units,
        coalesce(price_milliunits, 0) AS gross_milliunits,
        CASE WHEN offer = 'free' THEN 1 ELSE 0 END AS free_sales,
        0 AS refunds,
        0 AS partial_refunds,
        0 AS refunded_milliunits,
        0 AS credit_milliunits
    FROM counted
    UNION ALL
    SELECT
        app_id, product_number, storefront, currency, price_source, offer, reason, refund_ms, 0, 0, 0, 0, 1,
        1 - is_whole_refund, coalesce(refunded_milliunits, 0), 0
    FROM counted
    WHERE refund_ms IS NOT NULL
    UNION ALL
    SELECT
        app_id, product_number, storefront, currency, price_source, offer, '', next_start_ms, 0, 0, 0, 0, 0, 0, 0,
        change_credit_milliunits
    FROM counted
    WHERE change_credit_milliunits > 0
),

dated AS (
    SELECT
        events.*,
        CASE WHEN events.ms < day.midnight_ms THEN day.earlier_day ELSE day.later_day END AS day_number
    FROM events
    JOIN model_utc_days AS day ON day.utc_day = CAST((events.ms - events.ms % 86400000) / 86400000 AS BIGINT)
)

SELECT
    app_id,
    day_number,
    product_number,
    storefront,
    currency,
    price_source,
    offer,
    reason,
    sum(sales) AS sales,
    sum(units) AS units,
    sum(gross_milliunits) AS gross_milliunits,
    sum(free_sales) AS free_sales,
    sum(refunds) AS refunds,
    sum(partial_refunds) AS partial_refunds,
    sum(refunded_milliunits) AS refunded_milliunits,
    sum(credit_milliunits) AS credit_milliunits
FROM dated
GROUP BY app_id, day_number, product_number, storefront, currency, price_source, offer, reason
