-- One row per external purchase token, for purchases outside the App Store, that a trusted notification states. Apps
-- report to the store what was bought with a token, or that nothing was. If several notifications are about one token,
-- the one signed last counts; of those signed at the same time, the one with the greater SHA-256.
--
-- Columns:
--   environment            –              `externalPurchaseId`   environment of the token; `ProductionSandbox` if the
--                                                                token begins with SANDBOX
--   bundle_id              –              `bundleId`             bundle identifier of the app
--   app_apple_id           –              `appAppleId`           the store's number of the app
--   external_purchase_id   –              `externalPurchaseId`   identifier of the token
--   token_creation_date    time           `tokenCreationDate`    when the store created the token
--   token_type             –              `tokenType`            `ACQUISITION` or `SERVICES`; null for older kinds
--   token_expiration_date  time           `tokenExpirationDate`  when the token expires; null if the notification that
--                                                                counts states no such date
--   subtype                –              `subtype`              subtype of the notification that counts: `CREATED`,
--                                                                `UNREPORTED`, `ACTIVE_TOKEN_REMINDER`
--   is_unreported          0 or 1         –                      1: the notification that counts states that the token
--                                                                is still to be reported
--   notifications          notifications  –                      number of notifications about the token
--   first_signed_at        time           `signedDate`           when the store signed the first notification about the
--                                                                token
--   signed_at              time           `signedDate`           when the store signed the notification that counts
--   receipt_sha256         –              –                      SHA-256 of the notification that counts
CREATE VIEW external_purchase_tokens AS
WITH notified AS (
    SELECT
        notification.receipt_id,
        row_number() OVER (
            PARTITION BY notification.external_purchase_id, receipt.app_id
            ORDER BY receipt.receipt_creation_date DESC, receipt.sha256 DESC
        ) AS place,
        count(notification.receipt_id) OVER (PARTITION BY notification.external_purchase_id, receipt.app_id) AS notifications,
        min(receipt.receipt_creation_date) OVER (PARTITION BY notification.external_purchase_id, receipt.app_id)
            AS first_signed_at
    FROM notification
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    WHERE notification.external_purchase_id IS NOT NULL
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    receipt.app_item_id AS app_apple_id,
    notification.external_purchase_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', notification.token_creation_date / 1000, 'unixepoch') AS token_creation_date,
    notification.token_type,
    strftime('%Y-%m-%dT%H:%M:%SZ', notification.token_expiration_date / 1000, 'unixepoch') AS token_expiration_date,
    notification.subtype,
    CASE WHEN notification.subtype IN ('UNREPORTED', 'ACTIVE_TOKEN_REMINDER') THEN 1 ELSE 0 END AS is_unreported,
    notified.notifications,
    strftime('%Y-%m-%dT%H:%M:%SZ', notified.first_signed_at / 1000, 'unixepoch') AS first_signed_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS signed_at,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM notified
JOIN notification ON notification.receipt_id = notified.receipt_id
JOIN receipt ON receipt.receipt_id = notified.receipt_id
JOIN app ON app.app_id = receipt.app_id
WHERE notified.place = 1;
