-- One row per notification of version 2 that is trusted. The store delivers one
-- until it is acknowledged: of several deliveries in an environment with one uuid the
-- one signed first counts, and of those signed at once the greater SHA-256; one
-- without uuid stands for itself.
--
-- The columns of a transaction are those of the trusted transaction inside, else of
-- the trusted renewal info inside; null of tests, summaries and tokens.
--
-- Columns:
--   notification_uuid           –     `notificationUUID`          by which deliveries are known
--   notification_type           –     `notificationType`          what happened
--   subtype                     –     `subtype`                   more of the same
--   signed_at                   time  `signedDate`                when the store signed it
--   environment                 –     `environment`               as in receipts
--   bundle_id                   –     `bundleId`                  the app
--   app_apple_id                –     `appAppleId`                the store's number of the app
--   transaction_id              –     `transactionId`             the transaction inside
--   original_transaction_id     –     `originalTransactionId`     its original
--   product_id                  –     `productId`                 its product
--   status                      –     `status`                    1 active, 2 expired, 3 billing retry, 4 grace, 5 revoked
--   consumption_request_reason  –     `consumptionRequestReason`  why a customer asked for a refund
--   first_submitted_at          time  line                        the first time of a line that delivered it; null where
--                                                                 none states one
--   receipt_sha256              –     –                           the delivery that counts
CREATE VIEW notifications AS
WITH delivered AS (
    SELECT
        notification.receipt_id,
        row_number() OVER (
            PARTITION BY
                notification.environment,
                notification.notification_uuid,
                CASE WHEN notification.notification_uuid IS NULL THEN notification.receipt_id END
            ORDER BY receipt.receipt_creation_date, receipt.sha256 DESC
        ) AS place,
        min(submitted.first_submitted_at) OVER (
            PARTITION BY
                notification.environment,
                notification.notification_uuid,
                CASE WHEN notification.notification_uuid IS NULL THEN notification.receipt_id END
        ) AS first_submitted_at
    FROM notification
    CROSS JOIN receipt ON receipt.receipt_id = notification.receipt_id
    LEFT JOIN (
        SELECT submission.receipt_id, min(submission.submitted_at) AS first_submitted_at
        FROM notification AS presented
        CROSS JOIN submission ON submission.receipt_id = presented.receipt_id
        GROUP BY submission.receipt_id
    ) AS submitted ON submitted.receipt_id = notification.receipt_id
),

-- What is told of a transaction by the one inside.
told AS (
    SELECT
        receipt_part.receipt_id,
        purchase.transaction_id,
        purchase.original_transaction_id,
        purchase.product_number
    FROM receipt_part
    CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = receipt.receipt_id
    CROSS JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    WHERE receipt_part.part = 'transaction'
        AND receipt.verdict = 'trusted'
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
        CASE WHEN told.receipt_id IS NULL THEN renewal.original_transaction_id ELSE told.original_transaction_id END
        AS TEXT
    ) AS original_transaction_id,
    product.product_id,
    notification.status,
    notification.consumption_request_reason,
    strftime('%Y-%m-%dT%H:%M:%SZ', delivered.first_submitted_at / 1000, 'unixepoch') AS first_submitted_at,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM delivered
CROSS JOIN notification ON notification.receipt_id = delivered.receipt_id
CROSS JOIN receipt ON receipt.receipt_id = delivered.receipt_id
CROSS JOIN app ON app.app_id = receipt.app_id
LEFT JOIN told ON told.receipt_id = delivered.receipt_id
LEFT JOIN receipt_part AS renewal_part
    ON renewal_part.receipt_id = delivered.receipt_id
    AND renewal_part.part = 'renewal'
LEFT JOIN renewal ON renewal.receipt_id = renewal_part.part_receipt_id
LEFT JOIN product
    ON product.product_number
        = CASE WHEN told.receipt_id IS NULL THEN renewal.product_number ELSE told.product_number END
WHERE delivered.place = 1;
