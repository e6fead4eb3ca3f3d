-- One row per trusted renewal info: what it says of its subscription, which it names
-- by environment and original transaction alone. renewals shows the latest of each.
--
-- Columns:
--   environment                –       `environment`             as in receipts
--   original_transaction_id    –       `originalTransactionId`   the subscription
--   receipt_sha256             –       –                         the renewal info
--   signed_at                  time    `signedDate`              when the store signed it
--   product_id                 –       `productId`               as in renewals
--   auto_renew_product_id      –       `autoRenewProductId`      as in renewals
--   auto_renew_status          0 or 1  `autoRenewStatus`         as in renewals
--   expiration_intent          –       `expirationIntent`        as in renewals
--   is_in_billing_retry        0 or 1  `isInBillingRetryPeriod`  as in renewals
--   grace_period_expires_date  time    `gracePeriodExpiresDate`  as in renewals
--   renewal_date               time    `renewalDate`             as in renewals
--   receipt_id                 –       –                         the renewal info's number in this database alone
CREATE VIEW model_renewal_statements AS
SELECT
    nullif(renewal.environment, '') AS environment,
    CAST(renewal.original_transaction_id AS TEXT) AS original_transaction_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.signed_at / 1000, 'unixepoch') AS signed_at,
    product.product_id,
    next_product.product_id AS auto_renew_product_id,
    renewal.auto_renew_status,
    renewal.expiration_intent,
    renewal.is_in_billing_retry,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.grace_period_expires_date / 1000, 'unixepoch')
        AS grace_period_expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.renewal_date / 1000, 'unixepoch') AS renewal_date,
    renewal.receipt_id
FROM renewal
JOIN receipt ON receipt.receipt_id = renewal.receipt_id
LEFT JOIN product ON product.product_number = renewal.product_number
LEFT JOIN product AS next_product ON next_product.product_number = renewal.auto_renew_product_number;
