-- One row per user of an app in an environment: an account that presented documents, or a device that presented
-- documents without an account.
--
-- Columns:
--   environment                   –     –             environment that the documents state
--   bundle_id                     –     –             bundle identifier of the app
--   user                          –     line          the account, else the device, as the lines write it
--   user_kind                     –     –             what identifies the user: account or device
--   device_id                     –     line          the user's device; of an account, the device on which it was last
--                                                     seen
--   installed_at                  time  attribute 18  the earliest original purchase of the app that the user's
--                                                     documents state
--   first_seen_at                 time  line          when the user first presented a document
--   last_seen_at                  time  line          when the user last presented a document
--   original_application_version  –     attribute 19  the earliest original version of the app that the user's
--                                                     documents state
--   user_id                       –     –             the user's number in this database alone
--   app_id                        –     –             the app's number in this database alone, as in apps
--   customer_id                   –     –             the number of the customer who pays for what the user presented,
--                                                     as in customers; null if the user presented no purchase
CREATE VIEW users AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    users.name AS user,
    CASE WHEN users.is_device = 1 THEN 'device' ELSE 'account' END AS user_kind,
    users.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', users.installed_ms / 1000, 'unixepoch') AS installed_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN users.first_seen_ms >= 0 THEN users.first_seen_ms END / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN users.last_seen_ms >= 0 THEN users.last_seen_ms END / 1000, 'unixepoch') AS last_seen_at,
    version.version AS original_application_version,
    users.user_id,
    users.app_id,
    payer.customer_id
FROM model_users AS users
JOIN app ON app.app_id = users.app_id
LEFT JOIN version ON version.version_id = users.version_id
LEFT JOIN model_user_customers AS payer ON payer.user_id = users.user_id;
