-- One row per notification, as in notifications: what happened when, by what it holds,
-- and its deliveries. The moment of the event is the purchase date of the transaction
-- inside for SUBSCRIBED, DID_RENEW, ONE_TIME_CHARGE, OFFER_REDEEMED and an upgrade; the
-- revocation date that it states for REFUND and REVOKE; its expiration for EXPIRED, but
-- after a billing retry; the end of the grace period for GRACE_PERIOD_EXPIRED; of
-- others none is told.
--
-- Columns:
--   environment        –                   `environment`            as in notifications
--   bundle_id          –                   `bundleId`               as in notifications
--   notification_type  –                   `notificationType`       as in notifications
--   subtype            –                   `subtype`                as in notifications
--   begins_period      0 or 1              –                        1: tells that the transaction's period began
--   subscription_id    –                   `originalTransactionId`  the original transaction of what it is about
--   transaction_id     –                   `transactionId`          the transaction inside
--   event_second       seconds since 1970  –                        when the event happened; null where not told
--   signed_at          time                `signedDate`             when the store signed the first delivery
--   signed_second      seconds since 1970  `signedDate`             the same
--   signed_date        day                 `signedDate`             its day, of the database's time zone
--   signed_week        day                 `signedDate`             the Monday of its week
--   delivered_second   seconds since 1970  line                     time of the first line that delivered it; null
--                                                                   where none states one
--   deliveries         –                   –                        lines that delivered it, one of them twice too
--   receipt_sha256     –                   –                        the delivery that counts
--   app_number         –                   –                        the app's number in this database alone
CREATE VIEW notification_events AS
WITH submitted AS (
    SELECT
        notification.receipt_id,
        count(submission.receipt_id) AS deliveries,
        min(submission.submitted_at) AS delivered_ms
    FROM notification
    LEFT JOIN submission ON submission.receipt_id = notification.receipt_id
    GROUP BY notification.receipt_id
),

delivered AS (
    SELECT
        notification.receipt_id,
        row_number() OVER placed_delivery AS place,
        sum(submitted.deliveries) OVER delivery AS deliveries,
        min(submitted.delivered_ms) OVER delivery AS delivered_ms
    FROM notification
    JOIN submitted ON submitted.receipt_id = notification.receipt_id
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    WINDOW delivery AS (
        PARTITION BY
            coalesce(notification.notification_uuid, ''),
            notification.environment,
            CASE WHEN notification.notification_uuid IS NULL THEN notification.receipt_id END
    ),
    placed_delivery AS (
        PARTITION BY
            coalesce(notification.notification_uuid, ''),
            notification.environment,
            CASE WHEN notification.notification_uuid IS NULL THEN notification.receipt_id END
        ORDER BY receipt.receipt_creation_date, receipt.sha256 DESC
    )
),

told AS (
    SELECT
        notification.receipt_id,
        notification.notification_type,
        notification.subtype,
        CASE
            WHEN notification.notification_type IN ('SUBSCRIBED', 'DID_RENEW', 'OFFER_REDEEMED') THEN 1
            WHEN notification.notification_type = 'DID_CHANGE_RENEWAL_PREF' AND notification.subtype = 'UPGRADE' THEN 1
            ELSE 0
        END AS begins_period,
        purchase.transaction_id,
        CASE
            WHEN purchase.purchase_id IS NULL THEN renewal.original_transaction_id
            ELSE coalesce(purchase.original_transaction_id, purchase.transaction_id)
        END AS original_transaction_id,
        purchase.purchase_date,
        purchase.expires_date,
        revocation.revocation_date,
        renewal.grace_period_expires_date,
        delivered.deliveries,
        delivered.delivered_ms
    FROM delivered
    JOIN notification ON notification.receipt_id = delivered.receipt_id
    LEFT JOIN receipt_part AS transaction_part
        ON transaction_part.receipt_id = notification.receipt_id
        AND transaction_part.part = 'transaction'
    LEFT JOIN receipt AS stating
        ON stating.receipt_id = transaction_part.part_receipt_id
        AND stating.verdict = 'trusted'
    LEFT JOIN receipt_purchase ON receipt_purchase.receipt_id = stating.receipt_id
    LEFT JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = stating.app_id
    LEFT JOIN revocation ON revocation.receipt_id = stating.receipt_id
    LEFT JOIN receipt_part AS renewal_part
        ON renewal_part.receipt_id = notification.receipt_id
        AND renewal_part.part = 'renewal'
    LEFT JOIN renewal ON renewal.receipt_id = renewal_part.part_receipt_id
    WHERE delivered.place = 1
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    told.notification_type,
    told.subtype,
    told.begins_period,
    CAST(told.original_transaction_id AS TEXT) AS subscription_id,
    CAST(told.transaction_id AS TEXT) AS transaction_id,
    (CASE
        WHEN told.begins_period = 1 OR told.notification_type = 'ONE_TIME_CHARGE' THEN told.purchase_date
        WHEN told.notification_type IN ('REFUND', 'REVOKE') THEN told.revocation_date
        WHEN told.notification_type = 'EXPIRED' AND coalesce(told.subtype, '') <> 'BILLING_RETRY' THEN told.expires_date
        WHEN told.notification_type = 'GRACE_PERIOD_EXPIRED' THEN told.grace_period_expires_date
    END) / 1000 AS event_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS signed_at,
    receipt.receipt_creation_date / 1000 AS signed_second,
    signed_day.day AS signed_date,
    signed_day.week AS signed_week,
    told.delivered_ms / 1000 AS delivered_second,
    told.deliveries,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.app_id AS app_number
FROM told
JOIN receipt ON receipt.receipt_id = told.receipt_id
JOIN app ON app.app_id = receipt.app_id
LEFT JOIN model_utc_days AS signed ON signed.utc_day = receipt.receipt_creation_date / 86400000
LEFT JOIN model_days AS signed_day
    ON signed_day.day_number = CASE WHEN receipt.receipt_creation_date < signed.midnight_ms THEN signed.earlier_day ELSE signed.later_day END;
