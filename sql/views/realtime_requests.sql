-- One row per trusted request of the Retention Messaging API: a customer was about to cancel a subscription, and the
-- store asked which message to show. A request identifies the app only by the store's number.
--
-- Columns:
--   environment              –     `environment`            environment that the request states
--   app_apple_id             –     `appAppleId`             the store's number of the app
--   original_transaction_id  –     `originalTransactionId`  original transaction of the subscription
--   product_id               –     `productId`              product of the subscription
--   user_locale              –     `userLocale`             language and region of the customer
--   request_identifier       –     `requestIdentifier`      identifier of the request
--   signed_at                time  `signedDate`             when the store signed the renewal info
--   receipt_sha256           –     –                        SHA-256 of the request
CREATE VIEW realtime_requests AS
SELECT
    nullif(request.environment, '') AS environment,
    receipt.app_item_id AS app_apple_id,
    CAST(request.original_transaction_id AS TEXT) AS original_transaction_id,
    product.product_id,
    request.user_locale,
    request.request_identifier,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS signed_at,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM realtime_request AS request
JOIN receipt ON receipt.receipt_id = request.receipt_id
LEFT JOIN product ON product.product_number = request.product_number;
