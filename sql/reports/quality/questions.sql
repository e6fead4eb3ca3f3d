-- questions: What to ask the App Store
-- Which calls of the App Store Server API would fill what the documents leave open, and how much money is at stake?
--
-- Grain: one row per environment, bundle_id, endpoint, identifier
--
-- Columns:
--   environment  text    environment of the documents: Production, or ProductionSandbox, which is the sandbox
--   bundle_id    text    bundle identifier of the app
--   endpoint     text    what to ask for: history: Get Transaction History; subscriptions: Get All Subscription Statuses;
--                        refunds: Get Refund History; notifications: Get Notification History
--   identifier   text    transaction to ask about: the original transaction; null for notifications, which are asked
--                        for the whole app
--   since        date    first day, in UTC, from which to ask for notifications; null for other endpoints
--   reason       text    unknown: no document states what followed the last period of a subscription, or what a
--                        purchase cost; retrying: the store retries a failed payment; refundable: the purchase may have
--                        been refunded since; missing: notifications of known events are not in the archives
--   events       integer(events)  number of purchases, or of events without a notification, that the answer is about
--   currency     text    currency of at_stake (ISO 4217); (several) for several, (none) if no price is known
--   at_stake     money(currency)  sum of the known prices of those purchases; of a subscription's last period, the price of
--                                 the next payment, if a renewal info states it; null for several currencies
--   as_of        time    when the newest document of the app in that environment was created
--
-- Shown: reason, endpoint, identifier, at_stake, currency, since, events, bundle_id
-- Total: events
-- Chart: bars  x=reason  y=rows  series=endpoint
--
-- Notes:
--   One question at a time is asked about an original transaction: first history, which states refunds too, then
--   subscriptions, then refunds. A question ends when its answer is loaded, and states what was not known. A purchase
--   that was not refunded stays refundable for 90 days, and a payment is retried for up to 60: receiptmill-fetch asks
--   first what it has not asked, and then what it asked longest ago.
--   A purchase that began after the app's first notification and before its newest one is not refundable: a
--   notification would have stated the refund. Missing notifications are asked for as long as the store keeps them: 180
--   days, 30 in the sandbox, before the app's newest document.
--   If the settings name your apps (receiptmill ingest --app, or the key apps of a pipeline file), only these are asked
--   about: the store answers about no other developer's.
--   Notifications come first, since one question is about a whole app. Other rows are sorted by at_stake, the largest
--   first, whatever its currency; rates of exchange make all amounts comparable.
--
-- Example:
--   receiptmill report questions --database mill.sqlite --format csv

WITH own AS (
    SELECT *
    FROM apps
    WHERE environment IN ('Production', 'ProductionSandbox')
        AND (NOT EXISTS (SELECT 1 FROM app_setting) OR bundle_id IN (SELECT bundle_id FROM app_setting))
),

open_sales AS (
    SELECT
        sale.app_id, sale.original_id, sale.purchase_id,
        CASE
            WHEN last.last_fate = 'unknown' OR (sale.price_source = 'none' AND sale.is_paid = 1) THEN 3
            WHEN last.last_fate = 'retrying' THEN 2
            WHEN sale.price_milliunits > 0 AND sale.refund_ms IS NULL AND sale.canceled_ms IS NULL
                AND sale.start_ms > own.horizon_ms - 7776000000
                AND (own.first_notification_ms IS NULL OR sale.start_ms < own.first_notification_ms
                    OR sale.start_ms > own.newest_notification_ms) THEN 1
        END AS urgency,
        coalesce(rates.into_currency, renewal.currency, sale.currency) AS currency,
        CAST(floor(coalesce(renewal.renewal_price_milliunits, sale.price_milliunits) * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT)
            AS price
    FROM own
    JOIN model_sales AS sale ON sale.app_id = own.app_id
    LEFT JOIN model_subscriptions AS last
        ON last.original_id = sale.original_id AND last.app_id = sale.app_id AND last.last_purchase_id = sale.purchase_id
    LEFT JOIN model_renewal_states AS renewal
        ON renewal.original_id = last.original_id AND renewal.app_id = last.app_id AND renewal.start_ms = sale.start_ms
        AND renewal.until_ms IS NULL AND last.last_fate IN ('unknown', 'retrying') AND renewal.renewal_price_milliunits IS NOT NULL
    LEFT JOIN rates ON rates.currency = coalesce(renewal.currency, sale.currency) AND rates.day_number = sale.sold_day
    WHERE sale.is_shared = 0
),

most_urgent AS (
    SELECT open_sales.*, max(urgency) OVER (PARTITION BY original_id, app_id) AS most
    FROM open_sales
    WHERE urgency IS NOT NULL
),

asked AS (
    SELECT
        chosen.app_id, chosen.urgency, max(sales.original_transaction_id) AS identifier, NULL AS since_day, count(*) AS events,
        min(chosen.currency) AS first_currency, max(chosen.currency) AS last_currency, sum(chosen.price) AS at_stake
    FROM most_urgent AS chosen
    JOIN sales ON sales.purchase_id = chosen.purchase_id
    WHERE chosen.urgency = chosen.most
    GROUP BY chosen.app_id, chosen.original_id, chosen.urgency
    UNION ALL
    SELECT
        own.app_id, 0, NULL, CAST(floor(CAST(min(gap.at_ms) AS DOUBLE) / 86400000) AS BIGINT), sum(gap.number),
        min(coalesce(rates.into_currency, sale.currency)), max(coalesce(rates.into_currency, sale.currency)),
        sum(gap.number * CAST(floor(sale.price_milliunits * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT))
    FROM own
    JOIN model_gaps AS gap
        ON gap.app_id = own.app_id
        AND gap.due_ms <= own.newest_notification_ms - 86400000
        AND gap.at_ms >= own.horizon_ms - CASE WHEN own.environment = 'Production' THEN 15552000000 ELSE 2592000000 END
    LEFT JOIN purchase ON purchase.transaction_id = gap.example AND purchase.app_id = gap.app_id
    LEFT JOIN model_sales AS sale ON sale.purchase_id = purchase.purchase_id
    LEFT JOIN rates ON rates.currency = sale.currency AND rates.day_number = sale.sold_day
    GROUP BY own.app_id
)

SELECT
    own.environment, own.bundle_id,
    CASE asked.urgency WHEN 3 THEN 'history' WHEN 2 THEN 'subscriptions' WHEN 1 THEN 'refunds' ELSE 'notifications' END AS endpoint,
    asked.identifier, day.day AS since,
    CASE asked.urgency WHEN 3 THEN 'unknown' WHEN 2 THEN 'retrying' WHEN 1 THEN 'refundable' ELSE 'missing' END AS reason,
    asked.events,
    CASE
        WHEN asked.first_currency IS NULL THEN '(none)'
        WHEN asked.first_currency = asked.last_currency THEN asked.first_currency
        ELSE '(several)'
    END AS currency,
    CASE WHEN asked.first_currency = asked.last_currency THEN asked.at_stake END AS at_stake,
    own.as_of
FROM asked
JOIN own ON own.app_id = asked.app_id
LEFT JOIN model_days AS day ON day.day_number = asked.since_day
ORDER BY
    CASE WHEN asked.urgency = 0 THEN 0 ELSE 1 END,
    coalesce(CASE WHEN asked.first_currency = asked.last_currency THEN asked.at_stake END, -1) DESC, 1, 2, 3, asked.identifier;
