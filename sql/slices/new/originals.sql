-- Original transactions whose state may have become known because newer documents of their app were loaded: their last
-- period has ended, or no notification followed it, or no notification followed a member's share. Notifications may be
-- 7 days late, and a payment is retried for at most 90 days.
--
-- Key: original_id, app_id
WITH clocks AS (
    SELECT
        app.app_id,
        former.horizon_ms AS former_horizon_ms,
        app.horizon_ms,
        coalesce(former.notified_ms, CASE WHEN app.notified_ms IS NULL THEN former.horizon_ms ELSE 0 END) AS former_notified_ms,
        app.notified_ms,
        app.first_notification_ms
    FROM model_apps AS app
    JOIN former_apps AS former ON former.app_id = app.app_id
    WHERE former.horizon_ms <> app.horizon_ms
        OR former.notified_ms IS NOT app.notified_ms
)

SELECT period.original_id, period.app_id
FROM clocks
CROSS JOIN model_periods AS period
    ON period.app_id = clocks.app_id
    AND period.access_ms BETWEEN min(clocks.former_horizon_ms, clocks.former_notified_ms) - 7948800000 AND clocks.horizon_ms
WHERE period.next_start_ms IS NULL
    AND (
        (period.fate = 'running' AND period.access_ms > clocks.former_horizon_ms)
        OR period.fate = 'retrying'
        OR (period.fate = 'unknown' AND period.expires_ms > clocks.first_notification_ms)
        OR (
            period.expires_ms > clocks.first_notification_ms
            AND period.access_ms > clocks.former_notified_ms
            AND period.access_ms <= clocks.notified_ms
        )
    )
UNION ALL
SELECT sale.original_id, sale.app_id
FROM clocks
CROSS JOIN model_sales AS sale
    ON sale.app_id = clocks.app_id
    AND sale.expires_ms > clocks.former_notified_ms
    AND sale.expires_ms <= clocks.notified_ms
WHERE sale.is_shared = 1
    AND sale.expires_ms > clocks.first_notification_ms
