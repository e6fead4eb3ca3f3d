-- notification-gaps: Gaps among notifications
-- Of which subscriptions can the notifications not be complete, and what is missing?
--
-- Grain: one row per environment, bundle_id, subscription_id, transaction_id, missing
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--   :days         integer(0..)  1                         days in which a notification may still come
--
-- Columns:
--   environment      text  environment of the notifications
--   bundle_id        text  bundle identifier of the app
--   subscription_id  text  original transaction identifier; of a refund that of any purchase
--   transaction_id   text  the transaction by which the gap is known; (none) where the notification holds none
--   missing          text  all_notifications, begin_notification, earlier_period, earlier_notification,
--                          refund_notification or end_notification
--   starts_at        time  begin of what is missing; null where nothing tells it
--   ends_at          time  end of what is missing
--
-- Chart: bars  x=missing  y=rows
--
-- Notes:
--   all_notifications: a subscription with a period expected to be told of, and without
--   any notification; of several such periods the first. The others are of subscriptions
--   with some. begin_notification: the period is known, but no SUBSCRIBED, DID_RENEW,
--   OFFER_REDEEMED or upgrade tells of it. earlier_period: a DID_RENEW whose previous period no document
--   states. earlier_notification: EXPIRED is the subscription's first notification, and
--   the period began before the app's first. refund_notification: a refund that a
--   document states, without REFUND or REVOKE, of whatever product. end_notification: 92 days and more after
--   the last known period neither EXPIRED nor another period is known.
--   A notification is expected for what happened between the first and the newest that
--   the app got in the environment, less :days. Whether the store never sent it, or
--   the archives lack it, nothing tells; the store's notification history does, for
--   six months. Family members' shares and copies that restores made are left out, and
--   so are apps that get no notifications at all.
--   DID_RENEW may begin a day after the previous period, after BILLING_RECOVERY 61.
--
-- Example:
--   receiptmill report notification-gaps --database mill.sqlite --param bundle=com.example.club

WITH told AS (
    SELECT
        app_number,
        environment,
        bundle_id,
        notification_type,
        subtype,
        begins_period,
        subscription_id,
        transaction_id,
        signed_at,
        signed_second
    FROM notification_events
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

app_spans AS (
    SELECT
        app_number,
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        min(signed_second) AS first_second,
        max(signed_second) - 86400 * coalesce(CAST(:days AS BIGINT), 1) AS last_second,
        max(signed_at) AS newest_at
    FROM told
    GROUP BY app_number, environment, bundle_id
),

begun AS (
    SELECT
        app_number,
        transaction_id,
        max(CASE WHEN notification_type = 'DID_RENEW' THEN 1 ELSE 0 END) AS is_renewal,
        max(CASE WHEN notification_type = 'DID_RENEW' AND subtype = 'BILLING_RECOVERY' THEN 1 ELSE 0 END) AS is_recovery
    FROM told
    WHERE begins_period = 1
        AND transaction_id IS NOT NULL
    GROUP BY transaction_id, app_number
),

refunds_told AS (
    SELECT DISTINCT app_number, transaction_id
    FROM told
    WHERE notification_type IN ('REFUND', 'REVOKE')
        AND transaction_id IS NOT NULL
),

ends_told AS (
    SELECT app_number, subscription_id, max(signed_second) AS signed_second
    FROM told
    WHERE notification_type = 'EXPIRED'
        AND subscription_id IS NOT NULL
    GROUP BY subscription_id, app_number
),

notified AS (
    SELECT DISTINCT app_number, subscription_id
    FROM told
    WHERE subscription_id IS NOT NULL
),

bought AS (
    SELECT
        purchase_spans.*,
        app_spans.first_second,
        app_spans.last_second,
        app_spans.newest_at,
        CASE WHEN notified.app_number IS NULL THEN 0 ELSE 1 END AS is_notified
    FROM purchase_spans
    JOIN app_spans ON app_spans.app_number = purchase_spans.app_number
    LEFT JOIN notified
        ON notified.subscription_id = purchase_spans.subscription_id
        AND notified.app_number = purchase_spans.app_number
),

periods AS (
    SELECT
        bought.*,
        lag(expires) OVER period AS previous_expires,
        lag(expiry_second) OVER period AS previous_expiry_second,
        lead(start_second) OVER period AS next_second
    FROM bought
    WHERE expiry_second IS NOT NULL
    WINDOW period AS (PARTITION BY app_number, subscription_id ORDER BY start_second, expiry_second, transaction_id)
),

firsts AS (
    SELECT app_number, subscription_id, notification_type, transaction_id, signed_at, signed_second
    FROM (
        SELECT
            told.*,
            row_number() OVER (
                PARTITION BY app_number, subscription_id
                ORDER BY
                    signed_second,
                    CASE WHEN notification_type = 'EXPIRED' THEN 1 ELSE 0 END,
                    transaction_id NULLS LAST
            ) AS place
        FROM told
        WHERE subscription_id IS NOT NULL
    ) AS placed
    WHERE place = 1
        AND notification_type = 'EXPIRED'
),

gaps AS (
    SELECT
        periods.app_number,
        periods.subscription_id,
        periods.transaction_id,
        'begin_notification' AS missing,
        periods.starts AS starts_at,
        periods.expires AS ends_at
    FROM periods
    LEFT JOIN begun
        ON begun.transaction_id = periods.transaction_id
        AND begun.app_number = periods.app_number
    WHERE begun.app_number IS NULL
        AND periods.is_notified = 1
        AND periods.start_second >= periods.first_second
        AND periods.start_second <= periods.last_second
    UNION ALL
    SELECT app_number, subscription_id, transaction_id, 'all_notifications', starts, last_expires
    FROM (
        SELECT
            periods.*,
            max(expires) OVER (PARTITION BY app_number, subscription_id) AS last_expires,
            row_number() OVER (
                PARTITION BY app_number, subscription_id ORDER BY start_second, expiry_second, transaction_id
            ) AS place
        FROM periods
        WHERE is_notified = 0
            AND start_second >= first_second
            AND start_second <= last_second
    ) AS unnotified
    WHERE place = 1
    UNION ALL
    SELECT
        periods.app_number,
        periods.subscription_id,
        periods.transaction_id,
        'earlier_period',
        periods.previous_expires,
        periods.starts
    FROM periods
    JOIN begun
        ON begun.transaction_id = periods.transaction_id
        AND begun.app_number = periods.app_number
    WHERE begun.is_renewal = 1
        AND coalesce(periods.previous_expiry_second, 0)
            < periods.start_second - CASE WHEN begun.is_recovery = 1 THEN 61 ELSE 1 END * 86400
    UNION ALL
    SELECT
        firsts.app_number,
        firsts.subscription_id,
        coalesce(firsts.transaction_id, '(none)'),
        'earlier_notification',
        min(periods.starts),
        firsts.signed_at
    FROM firsts
    LEFT JOIN periods
        ON periods.subscription_id = firsts.subscription_id
        AND periods.app_number = firsts.app_number
    GROUP BY firsts.app_number, firsts.subscription_id, firsts.transaction_id, firsts.signed_at
    -- A period begun since lacks the notification of its begin, above.
    HAVING coalesce(
            max(CASE WHEN periods.start_second <= firsts.signed_second THEN periods.start_second END)
                < max(periods.first_second),
            1 = 1)
    UNION ALL
    SELECT
        bought.app_number,
        bought.subscription_id,
        bought.transaction_id,
        'refund_notification',
        bought.canceled,
        bought.canceled
    FROM bought
    LEFT JOIN refunds_told
        ON refunds_told.transaction_id = bought.transaction_id
        AND refunds_told.app_number = bought.app_number
    WHERE refunds_told.app_number IS NULL
        AND bought.is_refund = 1
        AND bought.cancel_second >= bought.first_second
        AND bought.cancel_second <= bought.last_second
    UNION ALL
    SELECT
        periods.app_number,
        periods.subscription_id,
        periods.transaction_id,
        'end_notification',
        periods.expires,
        periods.newest_at
    FROM periods
    LEFT JOIN ends_told
        ON ends_told.subscription_id = periods.subscription_id
        AND ends_told.app_number = periods.app_number
    WHERE periods.next_second IS NULL
        AND periods.is_notified = 1
        AND periods.canceled IS NULL
        AND periods.expiry_second >= periods.first_second
        AND periods.expiry_second <= periods.last_second - 92 * 86400
        AND coalesce(ends_told.signed_second, 0) < periods.start_second
)
SELECT
    app_spans.environment,
    app_spans.bundle_id,
    gaps.subscription_id,
    gaps.transaction_id,
    gaps.missing,
    gaps.starts_at,
    gaps.ends_at
FROM gaps
JOIN app_spans ON app_spans.app_number = gaps.app_number
ORDER BY 1, 2, 3, 4, 5;
