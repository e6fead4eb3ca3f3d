-- How far an app's documents reach in time.
--
-- Grain: one row per app and environment that a trusted document names
-- Key: app_id
-- Reference: app_id = app(app_id)
--
-- Columns:
--   app_id                  INTEGER!  –   app and environment, by the loader's number
--   environment             TEXT!     –   environment of the app's documents; empty if none is stated
--   bundle_id               TEXT!     –   bundle identifier of the app; empty if none is stated
--   horizon_ms              INTEGER   ms  when the app's newest trusted document was created: what came later is not
--                                         known
--   horizon_day             INTEGER   –   number of the local day on which the app's newest trusted document was
--                                         created
--   first_notification_ms   INTEGER   ms  when the app's first notification, tests apart, was signed
--   newest_notification_ms  INTEGER   ms  when the app's newest notification, tests apart, was signed
--   notified_ms             INTEGER   ms  until when notifications are complete, for periods that end after the first
--                                         notification: newest_notification_ms less the 7 days in which the App Store
--                                         repeats deliveries
--   last_month              INTEGER   –   number of the month in which the app's newest trusted document was created
--   complete_month          INTEGER   –   number of the last month that was over when the app's newest trusted document
--                                         was created
WITH created AS (
    SELECT
        app_id,
        max(receipt_creation_date) AS horizon_ms,
        min(CASE WHEN kind = 'notification' THEN receipt_creation_date END) AS first_notification_ms,
        max(CASE WHEN kind = 'notification' THEN receipt_creation_date END) AS newest_notification_ms
    FROM receipt
    WHERE verdict = 'trusted'
        AND kind NOT IN ('signed_renewal', 'realtime_request')
        -- A test notification states nothing about purchases, so it does not count.
        AND (
            kind <> 'notification'
            OR NOT EXISTS (
                SELECT 1
                FROM notification
                WHERE notification.receipt_id = receipt.receipt_id
                    AND notification.notification_type = 'TEST'
            )
        )
    GROUP BY app_id
    UNION ALL
    SELECT app_id, max(as_of), NULL, NULL
    FROM purchase
    GROUP BY app_id
),

horizons AS (
    SELECT
        app_id,
        max(horizon_ms) AS horizon_ms,
        min(first_notification_ms) AS first_notification_ms,
        max(newest_notification_ms) AS newest_notification_ms
    FROM created
    GROUP BY app_id
)

SELECT
    horizons.app_id,
    app.environment,
    app.bundle_id,
    horizons.horizon_ms,
    CASE WHEN horizons.horizon_ms < day.midnight_ms THEN day.earlier_day ELSE day.later_day END AS horizon_day,
    horizons.first_notification_ms,
    horizons.newest_notification_ms,
    horizons.newest_notification_ms - 604800000 AS notified_ms,
    month.month_number AS last_month,
    -- A document created in a month's last second completes the month.
    CASE WHEN month.ends_ms <= horizons.horizon_ms + 1000 THEN month.month_number ELSE month.month_number - 1 END
        AS complete_month
FROM horizons
JOIN app ON app.app_id = horizons.app_id
LEFT JOIN model_utc_days AS day
    ON day.utc_day = CAST((horizons.horizon_ms - horizons.horizon_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_months AS month ON month.begins_ms <= horizons.horizon_ms AND month.ends_ms > horizons.horizon_ms
