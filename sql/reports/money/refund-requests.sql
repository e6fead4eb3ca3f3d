-- refund-requests: Requests for refunds, and how they ended
-- How many refunds did customers ask for, with which reason, and how did the store decide?
--
-- Grain: one row per environment, bundle_id, month, product_id, reason, currency, price_source
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all      bundle identifier of the app; or all
--   :from         month          2008-01  first month shown; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment           text     environment of the notifications
--   bundle_id             text     bundle identifier of the app
--   month                 month    month of the request, in UTC; with :grain week the Monday of the week, with day the
--                                  day
--   product_id            text     product that a refund was asked for
--   reason                text     the customer's, such as UNINTENDED_PURCHASE; (none) where none is told
--   currency              text     currency of the price (ISO 4217); (none) where there is no price
--   price_source          text     signed: the store signed the price; list: your list's price; none: no price, or no
--                                  purchase known
--   requests              integer  requests
--   granted               integer  of these, those that ended in a refund
--   declined              integer  of these, those that the store declined
--   reversed              integer  of these, those that ended in a refund which the store took back later
--   unanswered            integer  of these, those of whose end no notification tells
--   unanswered_over_30    integer  of these, those made more than 30 days before the app's newest document
--   granted_share         share    granted per request that was answered
--   requested_milliunits  integer(milliunits)  prices of the purchases, in thousandths of the currency
--   refunded_milliunits   integer(milliunits)  given back for the purchases of granted
--   median_days           real(days)  median of the days from a request to its answer; null without answers
--
-- Chart: bars  x=month  y=requests,granted  series=product_id
--
-- Notes:
--   A request is a notification of type CONSUMPTION_REQUEST. Several for one transaction
--   with no answer between them are one, dated as the first and with its reason. The answer
--   is the first REFUND or REFUND_DECLINED signed since for the transaction. A refund after a
--   refusal, with no request between them, counts as granted; one that a REFUND_REVERSED
--   follows before the next request as reversed, which is no refund.
--   Most refunds have no request here: the store asks only apps that take part, and not of
--   every purchase. refunds counts all.
--   The store answers within days. A request unanswered for more than 30 days mostly means
--   that the answer never reached the archives.
--   A transaction asked for again after it was declined counts again, and so does its price:
--   requested_milliunits is no sum of different purchases.
--
-- Example:
--   receiptmill report refund-requests --database mill.sqlite --param from=2025-01

WITH told AS (
    SELECT
        environment,
        bundle_id,
        transaction_id,
        product_id,
        notification_type,
        consumption_request_reason,
        signed_at,
        -- What was signed in one second is taken in the order in which it happens.
        CASE notification_type
            WHEN 'CONSUMPTION_REQUEST' THEN 0
            WHEN 'REFUND_DECLINED' THEN 1
            WHEN 'REFUND' THEN 2
            ELSE 3
        END AS step,
        receipt_sha256
    FROM notifications
    WHERE notification_type IN ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED', 'REFUND_REVERSED')
        AND transaction_id IS NOT NULL
        AND signed_at IS NOT NULL
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

begun AS (
    SELECT
        told.*,
        CASE
            WHEN step > 0 THEN 0
            WHEN coalesce(lag(step) OVER (
                PARTITION BY environment, bundle_id, transaction_id ORDER BY signed_at, step, receipt_sha256
            ), 1) = 0 THEN 0
            ELSE 1
        END AS begins
    FROM told
),

placed AS (
    SELECT
        begun.*,
        sum(begins) OVER (
            PARTITION BY environment, bundle_id, transaction_id ORDER BY signed_at, step, receipt_sha256
            ROWS UNBOUNDED PRECEDING
        ) AS request
    FROM begun
),

request AS (
    SELECT
        environment,
        bundle_id,
        transaction_id,
        request,
        min(CASE WHEN begins = 1 THEN signed_at END) AS requested_at,
        max(CASE WHEN begins = 1 THEN product_id END) AS product_id,
        max(CASE WHEN begins = 1 THEN consumption_request_reason END) AS reason,
        min(CASE WHEN step IN (1, 2) THEN signed_at END) AS answer,
        max(CASE WHEN step = 2 THEN signed_at END) AS refunded_at,
        max(CASE WHEN step = 3 THEN signed_at END) AS reversed_at
    FROM placed
    WHERE request > 0
    GROUP BY transaction_id, request, bundle_id, environment
),

ended AS (
    SELECT
        request.*,
        CASE
            WHEN answer IS NULL THEN 'unanswered'
            WHEN refunded_at IS NULL THEN 'declined'
            WHEN reversed_at >= refunded_at THEN 'reversed'
            ELSE 'granted'
        END AS state,
        CASE WHEN requested_at < requested.next_begins THEN requested.day ELSE requested.next_day END AS request_day,
        CASE WHEN answer < answered.next_begins THEN answered.day ELSE answered.next_day END AS answer_day
    FROM request
    JOIN zone_days AS requested ON requested.utc_day = substr(requested_at, 1, 10)
    LEFT JOIN zone_days AS answered ON answered.utc_day = substr(answer, 1, 10)
),

priced AS (
    -- Few of all purchases, so that what is joined is short.
    SELECT DISTINCT
        environment, bundle_id, transaction_id, currency, price_source, price_milliunits, refunded_milliunits
    FROM priced_purchases
    WHERE transaction_id IN (SELECT transaction_id FROM told)
),

days AS (
    -- Distinct, which lets SQLite look days up by their text.
    SELECT DISTINCT day, day_number, period AS month
    FROM calendar_grains
    WHERE grain = coalesce(:grain, 'month')
),

dated AS (
    SELECT
        ended.environment,
        ended.bundle_id,
        requested.month,
        coalesce(ended.product_id, '(none)') AS product_id,
        coalesce(ended.reason, '(none)') AS reason,
        coalesce(priced.currency, '(none)') AS currency,
        coalesce(priced.price_source, 'none') AS price_source,
        ended.state,
        answered.day_number - requested.day_number AS days,
        CASE
            WHEN ended.state = 'unanswered' AND app_horizons.day_number - requested.day_number > 30 THEN 1
            ELSE 0
        END AS is_over_30,
        priced.price_milliunits,
        CASE WHEN ended.state = 'granted' THEN priced.refunded_milliunits END AS refunded_milliunits
    FROM ended
    JOIN days AS requested ON requested.day = ended.request_day
    LEFT JOIN days AS answered ON answered.day = ended.answer_day
    LEFT JOIN priced
        ON priced.transaction_id = ended.transaction_id
        AND coalesce(priced.bundle_id, '') = coalesce(ended.bundle_id, '')
        AND coalesce(priced.environment, '') = coalesce(ended.environment, '')
    LEFT JOIN app_horizons
        ON coalesce(app_horizons.bundle_id, '') = coalesce(ended.bundle_id, '')
        AND coalesce(app_horizons.environment, '') = coalesce(ended.environment, '')
    WHERE substr(requested.month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
),

middle AS (
    SELECT
        dated.*,
        row_number() OVER (
            PARTITION BY environment, bundle_id, month, product_id, reason, currency, price_source, days IS NULL
            ORDER BY days
        ) AS place,
        count(days) OVER (
            PARTITION BY environment, bundle_id, month, product_id, reason, currency, price_source
        ) AS places
    FROM dated
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    month,
    product_id,
    reason,
    currency,
    price_source,
    count(*) AS requests,
    sum(CASE WHEN state = 'granted' THEN 1 ELSE 0 END) AS granted,
    sum(CASE WHEN state = 'declined' THEN 1 ELSE 0 END) AS declined,
    sum(CASE WHEN state = 'reversed' THEN 1 ELSE 0 END) AS reversed,
    sum(CASE WHEN state = 'unanswered' THEN 1 ELSE 0 END) AS unanswered,
    sum(is_over_30) AS unanswered_over_30,
    round(
        CAST(sum(CASE WHEN state = 'granted' THEN 1 ELSE 0 END) AS DOUBLE)
        / nullif(sum(CASE WHEN state <> 'unanswered' THEN 1 ELSE 0 END), 0), 4) AS granted_share,
    sum(price_milliunits) AS requested_milliunits,
    CASE WHEN price_source <> 'none' THEN coalesce(sum(refunded_milliunits), 0) END AS refunded_milliunits,
    avg(CASE WHEN days IS NOT NULL AND 2 * place BETWEEN places AND places + 2 THEN CAST(days AS DOUBLE) END)
        AS median_days
FROM middle
GROUP BY 3, 4, 5, 6, 7, 2, 1
ORDER BY 1, 2, 3, 4, 5, 6, 7;
