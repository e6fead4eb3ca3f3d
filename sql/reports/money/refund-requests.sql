-- refund-requests: Requests for refunds, and how they ended
-- How many refunds did customers ask for, with which reason, and how did the store decide?
--
-- Grain: one row per environment, bundle_id, month, product_id, reason, answer, currency, price_source
--
-- Columns:
--   environment         text     environment of the notifications
--   bundle_id           text     bundle identifier of the app
--   month               month    month of the request
--   product_id          text     product whose refund was requested
--   reason              text     the customer's reason, such as UNINTENDED_PURCHASE; (none) if none is stated
--   answer              text     the preference that you sent to the store: DECLINE, GRANT_FULL, GRANT_PRORATED; (no
--                                preference) if you sent none; (none) if no answer is recorded
--   currency            text     currency of the price (ISO 4217); (none) if there is no price
--   price_source        text     signed: a signed transaction states the price; list: from your price list; none: no
--                                price is known
--   requests            integer(requests)  number of requests for a refund made in the month
--   granted             integer(requests)  of the requests, those that ended in a refund
--   declined            integer(requests)  of the requests, those that the store declined
--   reversed            integer(requests)  of the requests, those that ended in a refund which the store later reversed
--   unanswered          integer(requests)  of the requests, those for which no notification states the decision
--   unanswered_over_30  integer(requests)  of the unanswered requests, those made more than 30 days before the app's
--                                          newest document
--   granted_share       share    granted ÷ (granted + declined + reversed)
--   requested           money(currency)  prices of the purchases whose refund was requested
--   refunded            money(currency)  amount refunded for the granted requests
--   median_days         real(days)  median of the days from a request to its answer; null without answers
--
-- Shown: month, product_id, reason, requests, granted, refunded, currency, declined, granted_share, answer
-- Total: requests, granted, declined, reversed, unanswered, unanswered_over_30
-- Chart: bars  x=month  y=requests,granted  series=product_id
--
-- Notes:
--   A request is a notification of type CONSUMPTION_REQUEST. Several requests for one transaction without an answer
--   between them count as one, with the date and reason of the first. The answer is the first REFUND or REFUND_DECLINED
--   for the transaction that was signed afterwards. A refund after a refusal, without a request between them, counts as
--   granted. A refund that a REFUND_REVERSED follows before the next request counts as reversed, which is no refund.
--   The column answer shows what receiptmill consumption-answers --sent has recorded: for each request, the last answer
--   sent before the next request. The store considers an answer, but need not follow it, so granted_share by answer
--   shows the outcome, not its cause.
--   Most refunds have no request here: the store asks only apps that take part, and not about every purchase. The
--   report refunds counts all refunds. The store decides within days; a request unanswered for more than 30 days mostly
--   means that the notification of the decision is not in the archives. A transaction that is requested again after it
--   was declined counts again, and so does its price.
--
-- Example:
--   receiptmill report refund-requests --database mill.sqlite from=2025-01

WITH told AS (
    SELECT
        receipt.app_id, purchase.purchase_id, notification.consumption_request_reason AS reason,
        min(receipt.receipt_creation_date - receipt.receipt_creation_date % 1000) AS signed_ms,
        -- Notifications signed in the same second are sorted in the order in which they happen.
        CASE notification.notification_type
            WHEN 'CONSUMPTION_REQUEST' THEN 0
            WHEN 'REFUND_DECLINED' THEN 1
            WHEN 'REFUND' THEN 2
            ELSE 3
        END AS step,
        min(receipt.sha256) AS sha256
    FROM notification
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    JOIN apps ON apps.app_id = receipt.app_id
    JOIN receipt_part AS held ON held.receipt_id = notification.receipt_id AND held.part = 'transaction'
    JOIN receipt_purchase AS stated ON stated.receipt_id = held.part_receipt_id
    JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = receipt.app_id
    WHERE notification.notification_type IN ('CONSUMPTION_REQUEST', 'REFUND', 'REFUND_DECLINED', 'REFUND_REVERSED')
        AND receipt.verdict = 'trusted'
    -- Several deliveries of one notification count once.
    GROUP BY 1, 2, 3, 5, coalesce(notification.notification_uuid, CAST(notification.receipt_id AS VARCHAR(20)))
),

begun AS (
    SELECT
        told.*,
        CASE
            WHEN step > 0 THEN 0
            WHEN coalesce(lag(step) OVER (PARTITION BY purchase_id ORDER BY signed_ms, step, sha256), 1) = 0 THEN 0
            ELSE 1
        END AS begins
    FROM told
),

placed AS (
    SELECT
        begun.*,
        sum(begins) OVER (PARTITION BY purchase_id ORDER BY signed_ms, step, sha256 ROWS UNBOUNDED PRECEDING) AS request
    FROM begun
),

request AS (
    SELECT
        app_id, purchase_id, request, min(CASE WHEN begins = 1 THEN signed_ms END) AS requested_ms,
        max(CASE WHEN begins = 1 THEN reason END) AS reason,
        min(CASE WHEN step IN (1, 2) THEN signed_ms END) AS answer_ms,
        max(CASE WHEN step = 2 THEN signed_ms END) AS refunded_ms,
        max(CASE WHEN step = 3 THEN signed_ms END) AS reversed_ms
    FROM placed
    WHERE request > 0
    GROUP BY app_id, purchase_id, request
),

spaced AS (
    SELECT request.*, lead(requested_ms) OVER (PARTITION BY purchase_id ORDER BY request) AS next_requested_ms FROM request
),

sent AS (
    SELECT
        spaced.purchase_id, spaced.request, coalesce(told.refund_preference, '(no preference)') AS answer,
        row_number() OVER (PARTITION BY spaced.purchase_id, spaced.request ORDER BY told.answered_at DESC) AS place
    FROM consumption_answer AS told
    JOIN purchase ON purchase.transaction_id = told.transaction_id
    JOIN apps ON apps.app_id = purchase.app_id AND apps.environment = told.environment
    JOIN spaced ON spaced.purchase_id = purchase.purchase_id
    WHERE told.answered_at >= spaced.requested_ms
        AND (spaced.next_requested_ms IS NULL OR told.answered_at < spaced.next_requested_ms)
),

dated AS (
    SELECT
        spaced.*, coalesce(sent.answer, '(none)') AS answer,
        CASE
            WHEN answer_ms IS NULL THEN 'unanswered'
            WHEN refunded_ms IS NULL THEN 'declined'
            WHEN reversed_ms >= refunded_ms THEN 'reversed'
            ELSE 'granted'
        END AS state,
        CASE WHEN requested_ms < asked.midnight_ms THEN asked.earlier_day ELSE asked.later_day END AS request_day,
        CASE WHEN answer_ms < answered.midnight_ms THEN answered.earlier_day ELSE answered.later_day END AS answer_day
    FROM spaced
    LEFT JOIN sent ON sent.purchase_id = spaced.purchase_id AND sent.request = spaced.request AND sent.place = 1
    JOIN model_utc_days AS asked ON asked.utc_day = CAST((requested_ms - requested_ms % 86400000) / 86400000 AS BIGINT)
    LEFT JOIN model_utc_days AS answered ON answered.utc_day = CAST((answer_ms - answer_ms % 86400000) / 86400000 AS BIGINT)
),

priced AS (
    SELECT
        apps.environment, apps.bundle_id, months.month, coalesce(product.product_id, '(none)') AS product_id,
        coalesce(dated.reason, '(none)') AS reason, dated.answer, coalesce(rates.into_currency, sale.currency, '(none)') AS currency,
        coalesce(sale.price_source, 'none') AS price_source, dated.state, dated.answer_day - dated.request_day AS days,
        CASE WHEN dated.state = 'unanswered' AND apps.horizon_ms > dated.requested_ms + 2592000000 THEN 1 ELSE 0 END AS is_over_30,
        CAST(floor(sale.price_milliunits * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT) AS requested,
        CASE WHEN dated.state = 'granted' THEN CAST(floor(sale.refunded_milliunits * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT) END
            AS refunded
    FROM dated
    JOIN apps ON apps.app_id = dated.app_id
    JOIN model_days AS day ON day.day_number = dated.request_day
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN purchase ON purchase.purchase_id = dated.purchase_id
    LEFT JOIN product ON product.product_number = purchase.product_number
    LEFT JOIN model_sales AS sale ON sale.purchase_id = dated.purchase_id
    LEFT JOIN rates ON rates.currency = sale.currency AND rates.day_number = dated.request_day
),

middle AS (
    SELECT
        priced.*,
        row_number() OVER (
            PARTITION BY environment, bundle_id, month, product_id, reason, answer, currency, price_source, days IS NULL
            ORDER BY days
        ) AS place,
        count(days) OVER (PARTITION BY environment, bundle_id, month, product_id, reason, answer, currency, price_source) AS places
    FROM priced
)

SELECT
    environment, bundle_id, month, product_id, reason, answer, currency, price_source, count(*) AS requests,
    sum(CASE WHEN state = 'granted' THEN 1 ELSE 0 END) AS granted,
    sum(CASE WHEN state = 'declined' THEN 1 ELSE 0 END) AS declined,
    sum(CASE WHEN state = 'reversed' THEN 1 ELSE 0 END) AS reversed,
    sum(CASE WHEN state = 'unanswered' THEN 1 ELSE 0 END) AS unanswered, sum(is_over_30) AS unanswered_over_30,
    round(
        CAST(sum(CASE WHEN state = 'granted' THEN 1 ELSE 0 END) AS DOUBLE)
        / nullif(sum(CASE WHEN state <> 'unanswered' THEN 1 ELSE 0 END), 0), 4) AS granted_share,
    sum(requested) AS requested,
    CASE WHEN price_source <> 'none' THEN coalesce(sum(refunded), 0) END AS refunded,
    avg(CASE WHEN days IS NOT NULL AND 2 * place BETWEEN places AND places + 2 THEN CAST(days AS DOUBLE) END) AS median_days
FROM middle
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8;
