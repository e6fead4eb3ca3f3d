-- One row per trusted notification of version 2. The store repeats a notification until it is acknowledged. Of several
-- deliveries with one uuid in an environment, the one signed first counts; of those signed at the same time, the one
-- with the greater SHA-256. Each notification without a uuid has a row of its own.
--
-- The columns of a transaction come from the trusted transaction inside the notification, else from the trusted renewal
-- info inside; they are null for tests and tokens. The product of a summary of renewal extensions is the product whose
-- renewal dates were extended.
--
-- Columns:
--   notification_uuid           –              `notificationUUID`          identifier that all deliveries of the
--                                                                          notification share
--   notification_type           –              `notificationType`          what happened: the store's type of the
--                                                                          notification
--   subtype                     –              `subtype`                   details of what happened: the store's
--                                                                          subtype of the notification
--   signed_at                   time           `signedDate`                when the store signed the renewal info
--   environment                 –              `environment`               environment that the notification states
--   bundle_id                   –              `bundleId`                  bundle identifier of the app
--   app_apple_id                –              `appAppleId`                the store's number of the app
--   transaction_id              –              `transactionId`             the transaction inside the notification
--   original_transaction_id     –              `originalTransactionId`     original transaction of that transaction, or
--                                                                          of the renewal info
--   product_id                  –              `productId`                 product of that transaction, or of the
--                                                                          renewal info
--   status                      –              `status`                    1 active, 2 expired, 3 billing retry, 4
--                                                                          grace, 5 revoked
--   consumption_request_reason  –              `consumptionRequestReason`  why a customer asked for a refund
--   first_submitted_at          time           line                        time of the first line that delivered the
--                                                                          notification; null if no line states one
--   receipt_sha256              –              –                           SHA-256 of the delivery that counts
--   version                     –              `version`                   version of the notification's format
--   bundle_version              –              `bundleVersion`             version of the app that the notification
--                                                                          states
--   request_identifier          –              `requestIdentifier`         of a summary: identifier of the app's
--                                                                          request to extend renewal dates
--   storefront_country_codes    –              `storefrontCountryCodes`    of a summary: countries that the request
--                                                                          names, in JSON
--   succeeded_count             subscriptions  `succeededCount`            of a summary: subscriptions whose renewal
--                                                                          date was extended
--   failed_count                subscriptions  `failedCount`               of a summary: subscriptions whose renewal
--                                                                          date could not be extended
--   unclaim_seat_ids            –              `unclaimSeatIds`            seats whose members the app has to remove:
--                                                                          the app's own identifiers, in JSON
CREATE VIEW notifications AS
WITH delivered AS (
    SELECT
        receipt_id,
        row_number() OVER (
            -- No index has this order, so that SQLite reads the rows in the table's order.
            PARTITION BY delivery_uuid, environment, lone_receipt_id
            ORDER BY signed_at, sha256 DESC
        ) AS place,
        min(submitted_at) OVER (PARTITION BY delivery_uuid, environment, lone_receipt_id) AS first_submitted_at
    FROM (
        SELECT
            notification.receipt_id,
            coalesce(notification.notification_uuid, '') AS delivery_uuid,
            notification.environment,
            CASE WHEN notification.notification_uuid IS NULL THEN notification.receipt_id END AS lone_receipt_id,
            receipt.receipt_creation_date AS signed_at,
            receipt.sha256,
            submission.submitted_at
        FROM notification
        CROSS JOIN receipt
        -- A notification delivered in several lines has several rows; only one has place 1.
        LEFT JOIN submission ON submission.receipt_id = notification.receipt_id
        WHERE receipt.receipt_id = notification.receipt_id
    ) AS came
)

SELECT
    notification.notification_uuid,
    notification.notification_type,
    notification.subtype,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS signed_at,
    nullif(notification.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    receipt.app_item_id AS app_apple_id,
    CAST(told.transaction_id AS TEXT) AS transaction_id,
    CAST(
        CASE WHEN told.purchase_id IS NULL THEN renewal.original_transaction_id ELSE told.original_transaction_id END
        AS TEXT
    ) AS original_transaction_id,
    product.product_id,
    notification.status,
    notification.consumption_request_reason,
    strftime('%Y-%m-%dT%H:%M:%SZ', delivered.first_submitted_at / 1000, 'unixepoch') AS first_submitted_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    notification.version,
    notification.bundle_version,
    notification.request_identifier,
    notification.storefront_country_codes,
    notification.succeeded_count,
    notification.failed_count,
    notification.unclaim_seat_ids
FROM notification
CROSS JOIN delivered
CROSS JOIN receipt
CROSS JOIN app
LEFT JOIN receipt_part AS transaction_part
    ON transaction_part.receipt_id = notification.receipt_id
    AND transaction_part.part = 'transaction'
LEFT JOIN receipt AS stating
    ON stating.receipt_id = transaction_part.part_receipt_id
    AND stating.verdict = 'trusted'
LEFT JOIN receipt_purchase ON receipt_purchase.receipt_id = stating.receipt_id
LEFT JOIN purchase AS told
    ON told.transaction_id = receipt_purchase.transaction_id
    AND told.app_id = stating.app_id
LEFT JOIN receipt_part AS renewal_part
    ON renewal_part.receipt_id = notification.receipt_id
    AND renewal_part.part = 'renewal'
LEFT JOIN renewal ON renewal.receipt_id = renewal_part.part_receipt_id
LEFT JOIN product
    ON product.product_number
        = CASE
            WHEN told.purchase_id IS NOT NULL THEN told.product_number
            ELSE coalesce(renewal.product_number, notification.summary_product_number)
        END
WHERE delivered.place = 1
    AND delivered.receipt_id = notification.receipt_id
    AND receipt.receipt_id = notification.receipt_id
    AND app.app_id = receipt.app_id;
