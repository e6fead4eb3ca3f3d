-- notifications-by-type: Notifications by month and type
-- Which notifications came, how often was each delivered, and how late?
--
-- Grain: one row per environment, bundle_id, month, notification_type, subtype
--
-- Parameters:
--   :grain  text(month, week, day)  month  period of a row: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment             text              environment of the notifications
--   bundle_id               text              bundle identifier of the app
--   month                   month             month in which the store first signed the notifications; with :grain
--                                             week, the Monday of the week; with :grain day, the day
--   notification_type       text              what happened: the store's type of the notifications
--   subtype                 text              details of what happened; (none) if there is none
--   notifications           integer           number of different notifications
--   deliveries              integer           number of lines that delivered the notifications
--   repeated_deliveries     integer           of the deliveries, those of a notification that was delivered before
--   timed_deliveries        integer           notifications for which a line states the time of delivery
--   median_delivery_delay   integer(seconds)  median of the delays from signing to the first delivery; of two middle
--                                             values the lower
--   longest_delivery_delay  integer(seconds)  longest delay from signing to the first delivery
--   median_event_delay      integer(seconds)  median of the delays from the event to the first delivery, if both times
--                                             are known; of two middle values the lower
--   longest_event_delay     integer(seconds)  longest delay from the event to the first delivery
--
-- Shown: bundle_id, month, notification_type, subtype, notifications, repeated_deliveries, median_delivery_delay,
--        longest_delivery_delay
-- Total: notifications, deliveries, repeated_deliveries, timed_deliveries
-- Chart: bars  x=month  y=notifications  series=notification_type
--
-- Notes:
--   Deliveries with one identifier (notificationUUID) are one notification, in the month in which it was first signed.
--   Repeated deliveries are harmless, unless your server grants something for each delivery without checking the
--   identifier. A delivery without an identifier counts as a notification of its own.
--   The event is the purchase date of SUBSCRIBED, DID_RENEW, ONE_TIME_CHARGE, OFFER_REDEEMED and upgrades, the
--   revocation date of REFUND and REVOKE, and the expiration date of EXPIRED (unknown after a billing retry). The store
--   renews ahead of time: a negative delay means that the notification was delivered before the period began.
--   Delays compare the store's clock with that of the archive's lines. A line that logs an old notification, for
--   example from the store's notification history, counts with the time at which it was logged. Deliveries that were
--   deleted by retention are not counted.
--
-- Example:
--   receiptmill report notifications-by-type --database mill.sqlite from=2025-01

WITH delivered AS (
    SELECT
        receipt.app_id,
        coalesce(notification.notification_uuid, CAST(notification.receipt_id AS VARCHAR(20))) AS uuid,
        notification.receipt_id, notification.notification_type, notification.subtype,
        receipt.receipt_creation_date AS signed_ms, submission.receipt_id AS submitted_id, submission.submitted_at
    FROM apps
    JOIN receipt ON receipt.app_id = apps.app_id
    JOIN notification ON notification.receipt_id = receipt.receipt_id
    LEFT JOIN submission ON submission.receipt_id = notification.receipt_id
),

told AS (
    SELECT
        app_id,
        min(receipt_id) AS receipt_id,
        max(notification_type) AS notification_type,
        max(subtype) AS subtype,
        min(signed_ms) AS signed_ms,
        count(submitted_id) AS deliveries,
        min(submitted_at) AS delivered_ms
    FROM delivered
    GROUP BY app_id, uuid
),

dated AS (
    SELECT
        told.app_id,
        CASE coalesce(:grain, 'month') WHEN 'day' THEN day.day WHEN 'week' THEN day.week ELSE day.month END AS month,
        told.notification_type,
        coalesce(told.subtype, '(none)') AS subtype,
        told.deliveries,
        CAST((told.delivered_ms - told.delivered_ms % 1000 - told.signed_ms + told.signed_ms % 1000) / 1000 AS BIGINT) AS delivery_delay,
        CAST(floor(CAST(told.delivered_ms - CASE
            WHEN told.notification_type IN ('SUBSCRIBED', 'DID_RENEW', 'OFFER_REDEEMED', 'ONE_TIME_CHARGE')
                OR (told.notification_type = 'DID_CHANGE_RENEWAL_PREF' AND told.subtype = 'UPGRADE')
                THEN purchase.purchase_date
            WHEN told.notification_type IN ('REFUND', 'REVOKE') THEN revocation.revocation_date
            WHEN told.notification_type = 'EXPIRED' AND coalesce(told.subtype, '') <> 'BILLING_RETRY' THEN purchase.expires_date
        END AS DOUBLE) / 1000) AS BIGINT) AS event_delay
    FROM told
    JOIN model_utc_days AS utc ON utc.utc_day = CAST((told.signed_ms - told.signed_ms % 86400000) / 86400000 AS BIGINT)
    JOIN model_days AS day
        ON day.day_number = CASE WHEN told.signed_ms < utc.midnight_ms THEN utc.earlier_day ELSE utc.later_day END
    JOIN months ON months.month_number = day.month_number
    LEFT JOIN receipt_part AS held ON held.receipt_id = told.receipt_id AND held.part = 'transaction'
    LEFT JOIN receipt_purchase AS stated ON stated.receipt_id = held.part_receipt_id
    LEFT JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = told.app_id
    LEFT JOIN revocation ON revocation.receipt_id = held.part_receipt_id
),

placed AS (
    SELECT
        dated.*,
        row_number() OVER (PARTITION BY app_id, month, notification_type, subtype ORDER BY delivery_delay NULLS LAST)
            AS delivery_place,
        count(delivery_delay) OVER (PARTITION BY app_id, month, notification_type, subtype) AS timed,
        row_number() OVER (PARTITION BY app_id, month, notification_type, subtype ORDER BY event_delay NULLS LAST) AS event_place,
        count(event_delay) OVER (PARTITION BY app_id, month, notification_type, subtype) AS known
    FROM dated
)

SELECT
    apps.environment, apps.bundle_id, placed.month, placed.notification_type, placed.subtype,
    count(*) AS notifications,
    sum(deliveries) AS deliveries,
    sum(CASE WHEN deliveries > 1 THEN deliveries - 1 ELSE 0 END) AS repeated_deliveries,
    max(timed) AS timed_deliveries,
    -- If the number of values is even, the lower of the two middle ones is the median.
    max(CASE WHEN delivery_place * 2 IN (timed, timed + 1) THEN delivery_delay END) AS median_delivery_delay,
    max(delivery_delay) AS longest_delivery_delay,
    max(CASE WHEN event_place * 2 IN (known, known + 1) THEN event_delay END) AS median_event_delay,
    max(event_delay) AS longest_event_delay
FROM placed
JOIN apps ON apps.app_id = placed.app_id
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 2, 3, 4, 5;
