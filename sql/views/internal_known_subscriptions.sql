-- For each subscription, until when it is known what followed its last period. Notifications cover every period that
-- ends after the app's first notification; for other periods, the documents of the subscription and of its owners
-- count.
--
-- Columns:
--   original_id  –   identifier of the original transaction: the subscription
--   app_id       –   app and environment, by the loader's number
--   known_ms     ms  until when it is known what followed the last period; null if a document states that something
--                    follows, but not what
CREATE VIEW internal_known_subscriptions AS
SELECT
    subscription.original_id,
    subscription.app_id,
    CASE
        WHEN subscription.last_expires_ms > app.first_notification_ms AND app.notified_ms > subscription.known_ms
            THEN app.notified_ms
        ELSE subscription.known_ms
    END AS known_ms
FROM model_subscriptions AS subscription
JOIN model_apps AS app ON app.app_id = subscription.app_id;
