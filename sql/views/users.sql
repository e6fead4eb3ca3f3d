-- Who presents documents: accounts, and devices that no account is named for, each of one app and environment.
--
-- Columns:
--   environment    –     attribute 0  of the documents
--   bundle_id      –     attribute 2  the app
--   owner          –     line         account, else device, as the lines write it
--   owner_kind     –     –            `account` or `device`
--   account_id     –     line         the account; null of a device
--   device_id      –     line         the device; of an account, the one on which it was last seen
--   first_seen     time  line         when it presented a document of the app first
--   last_seen      time  line         when it did last
--   user_id        –     –            its number in this database alone, as in entitlement_spans
--   app_id         –     –            the app's number in this database alone, as in apps
CREATE VIEW users AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    users.name AS owner,
    CASE users.is_device WHEN 0 THEN 'account' ELSE 'device' END AS owner_kind,
    CASE users.is_device WHEN 0 THEN users.name END AS account_id,
    users.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', users.first_seen_ms / 1000, 'unixepoch') AS first_seen,
    strftime('%Y-%m-%dT%H:%M:%SZ', users.last_seen_ms / 1000, 'unixepoch') AS last_seen,
    users.user_id,
    users.app_id
FROM model_users AS users
JOIN app ON app.app_id = users.app_id;
