-- One row per trusted renewal info, with what it states about its subscription. It identifies the subscription by
-- environment and original transaction alone. The view renewals has the latest renewal info of each subscription.
--
-- Columns:
--   environment                –       `environment`             environment that the renewal info states
--   original_transaction_id    –       `originalTransactionId`   original transaction of the subscription
--   receipt_sha256             –       –                         SHA-256 of the renewal info
--   signed_at                  time    `signedDate`              when the store signed the renewal info
--   product_id                 –       `productId`               product of the current period
--   auto_renew_product_id      –       `autoRenewProductId`      product of the next period
--   auto_renew_status          0 or 1  `autoRenewStatus`         1: the subscription will renew
--   expiration_intent          –       `expirationIntent`        why the subscription expired: 1 the customer canceled,
--                                                                2 billing, 3 a price increase, 4 the product was
--                                                                removed, 5 other
--   is_in_billing_retry        0 or 1  `isInBillingRetryPeriod`  1: the store retries the payment
--   grace_period_expires_date  time    `gracePeriodExpiresDate`  end of the grace period
--   renewal_date               time    `renewalDate`             when the subscription renews next
--   receipt_id                 –       –                         the renewal info's number in this database alone
CREATE VIEW internal_renewal_statements AS
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
