-- Events of subscriptions without a notification, since the app's first notification; model_findings explains the
-- kinds. A notification may still arrive, so a gap counts only from due_ms on.
--
-- Grain: one row per app, subscription, kind of gap and time
-- Key: original_id, app_id, finding, at_ms
-- Slice: original_id, app_id
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id       INTEGER!  –   app and environment, by the loader's number
--   finding      TEXT!     –   missing_all, missing_begin, missing_period, missing_earlier, missing_end or
--                              missing_refund
--   original_id  ANY!      –   identifier of the subscription's original transaction
--   at_ms        INTEGER!  ms  when the event that lacks a notification happened
--   due_ms       INTEGER!  ms  the gap counts once the app's newest notification, less a day, is at least this new
--   number       INTEGER!  –   number of periods or purchases that began, ended or were refunded at at_ms
--   example      ANY       –   identifier of a transaction that shows the gap; null if there is none
WITH told AS (
    SELECT
        receipt.app_id,
        -- A table's column instead of an expression, so that SQLite indexes the groups.
        bought.purchase_id,
        coalesce(
            switch.first_id, purchase.original_transaction_id, purchase.transaction_id, renewal.original_transaction_id
        ) AS original_id,
        notification.notification_type,
        notification.subtype,
        receipt.receipt_creation_date AS signed_ms
    FROM notification
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    LEFT JOIN receipt_part AS held ON held.receipt_id = notification.receipt_id AND held.part = 'transaction'
    LEFT JOIN receipt_purchase AS stated ON stated.receipt_id = held.part_receipt_id
    LEFT JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = receipt.app_id
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN purchase AS bought ON bought.purchase_id = coalesce(copy.sale_id, purchase.purchase_id)
    LEFT JOIN receipt_part AS renewed ON renewed.receipt_id = notification.receipt_id AND renewed.part = 'renewal'
    LEFT JOIN renewal ON renewal.receipt_id = renewed.part_receipt_id
    LEFT JOIN model_switches AS switch
        ON switch.original_id = coalesce(
            purchase.original_transaction_id, purchase.transaction_id, renewal.original_transaction_id)
        AND switch.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
),

notified AS (
    SELECT
        app_id,
        original_id,
        min(signed_ms) AS first_ms,
        min(CASE WHEN notification_type <> 'EXPIRED' THEN signed_ms END) AS first_other_ms,
        max(CASE WHEN notification_type = 'EXPIRED' THEN signed_ms ELSE 0 END) AS expired_ms
    FROM told
    WHERE original_id IS NOT NULL
    GROUP BY original_id, app_id
),

begun AS (
    SELECT
        purchase_id,
        max(CASE
            WHEN notification_type IN ('SUBSCRIBED', 'DID_RENEW', 'OFFER_REDEEMED', 'MIGRATION', 'MIGRATE') THEN 1
            WHEN notification_type = 'DID_CHANGE_RENEWAL_PREF' AND subtype = 'UPGRADE' THEN 1
            ELSE 0
        END) AS is_begun,
        max(CASE WHEN notification_type = 'DID_RENEW' THEN 1 ELSE 0 END) AS is_renewal,
        max(CASE WHEN notification_type = 'DID_RENEW' AND subtype = 'BILLING_RECOVERY' THEN 1 ELSE 0 END) AS is_recovery,
        max(CASE WHEN notification_type IN ('REFUND', 'REVOKE') THEN 1 ELSE 0 END) AS is_refunded
    FROM told
    WHERE purchase_id IS NOT NULL
    GROUP BY purchase_id
),

gaps AS (
    SELECT
        period.app_id,
        CASE WHEN notified.app_id IS NULL THEN 'missing_all' ELSE 'missing_begin' END AS finding,
        period.original_id,
        period.purchase_id,
        period.start_ms AS at_ms,
        period.start_ms AS due_ms
    FROM model_apps AS app
    JOIN model_periods AS period ON period.app_id = app.app_id AND period.start_ms >= app.first_notification_ms
    LEFT JOIN notified ON notified.original_id = period.original_id AND notified.app_id = period.app_id
    LEFT JOIN begun ON begun.purchase_id = period.purchase_id
    WHERE coalesce(begun.is_begun, 0) = 0
    UNION ALL
    SELECT sale.app_id, 'missing_period', sale.original_id, sale.purchase_id, sale.start_ms, 0
    FROM begun
    JOIN model_sales AS sale ON sale.purchase_id = begun.purchase_id
    LEFT JOIN model_followers AS follower
        ON follower.original_id = sale.original_id
        AND follower.app_id = sale.app_id
        AND follower.start_ms = sale.start_ms
        AND follower.purchase_id = sale.purchase_id
    WHERE begun.is_renewal = 1
        AND sale.is_shared = 0
        AND coalesce(follower.previous_expires_ms, 0)
            < sale.start_ms - 86400000 - CASE WHEN begun.is_recovery = 1 THEN coalesce(follower.retry_limit_ms, 0) ELSE 0 END
    UNION ALL
    SELECT notified.app_id, 'missing_earlier', notified.original_id, max(period.purchase_id), notified.first_ms, 0
    FROM notified
    JOIN model_apps AS app ON app.app_id = notified.app_id
    LEFT JOIN model_periods AS period
        ON period.original_id = notified.original_id
        AND period.app_id = notified.app_id
        AND period.start_ms <= notified.first_ms
    WHERE notified.first_ms < coalesce(notified.first_other_ms, notified.first_ms + 1)
    GROUP BY notified.app_id, notified.original_id, notified.first_ms, app.first_notification_ms
    HAVING coalesce(max(period.start_ms), 0) < app.first_notification_ms
    UNION ALL
    SELECT
        period.app_id, 'missing_end', period.original_id, period.purchase_id, period.expires_ms, period.expires_ms + 7948800000
    FROM notified
    JOIN model_apps AS app ON app.app_id = notified.app_id
    JOIN model_periods AS period ON period.original_id = notified.original_id AND period.app_id = notified.app_id
    WHERE period.next_start_ms IS NULL
        AND period.fate <> 'refunded'
        AND period.expires_ms >= app.first_notification_ms
        AND notified.expired_ms < period.start_ms
    UNION ALL
    SELECT sale.app_id, 'missing_refund', sale.original_id, sale.purchase_id, sale.refund_ms, sale.refund_ms
    FROM model_sales AS sale
    JOIN model_apps AS app ON app.app_id = sale.app_id
    LEFT JOIN begun ON begun.purchase_id = sale.purchase_id
    WHERE sale.refund_ms >= app.first_notification_ms
        AND coalesce(begun.is_refunded, 0) = 0
)

SELECT
    gaps.app_id,
    gaps.finding,
    gaps.original_id,
    gaps.at_ms,
    gaps.due_ms,
    count(*) AS number,
    min(purchase.transaction_id) AS example
FROM gaps
LEFT JOIN purchase ON purchase.purchase_id = gaps.purchase_id
GROUP BY gaps.original_id, gaps.app_id, gaps.finding, gaps.at_ms, gaps.due_ms
