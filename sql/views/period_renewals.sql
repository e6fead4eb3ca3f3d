-- One row per trusted renewal info of a subscription whose period it tells of is known:
-- which period that is, and what it says. A period's infos are those signed from its
-- begin to the next one's. The store may renew within a day before the period is over: an
-- info of that day that states a renewal behind the next begin tells of the next.
--
-- Renewal infos name no app: the subscription is found by environment and original
-- transaction. Infos signed before the first known period have no row.
--
-- Columns:
--   environment                –                   `environment`             as in receipts
--   bundle_id                  –                   –                         the subscription's app
--   subscription_id            –                   `originalTransactionId`   the original transaction
--   start_second               seconds since 1970  attribute 1704            begin of the period
--   place                      –                   –                         1 of the info signed last in the period, 2
--                                                                            of the one before; of those signed at once
--                                                                            the greater SHA-256 is later
--   signed_second              seconds since 1970  `signedDate`              when the store signed it
--   product_id                 –                   `productId`               as in renewals
--   auto_renew_product_id      –                   `autoRenewProductId`      as in renewals
--   auto_renew_status          0 or 1              `autoRenewStatus`         as in renewals
--   expiration_intent          –                   `expirationIntent`        as in renewals
--   is_in_billing_retry        0 or 1              `isInBillingRetryPeriod`  as in renewals
--   grace_second               seconds since 1970  `gracePeriodExpiresDate`  until when it may be used meanwhile
--   renewal_second             seconds since 1970  `renewalDate`             when it renews
--   renewal_price_milliunits   milliunits          `renewalPrice`            as in renewals
--   currency                   –                   `currency`                as in renewals
--   offer_type                 –                   `offerType`               as in renewals
--   offer_id                   –                   `offerIdentifier`         as in renewals
--   price_increase_status      0 or 1              `priceIncreaseStatus`     as in renewals
--   signed_at                  time                `signedDate`              when the store signed it
--   grace_period_expires_date  time                `gracePeriodExpiresDate`  as in renewals
--   renewal_date               time                `renewalDate`             as in renewals
--   app_number                 –                   –                         the app's number in this database alone,
--                                                                            to count by
--   original_number            –                   `originalTransactionId`   the original transaction, as the loader keeps
--                                                                            it
CREATE VIEW period_renewals AS
WITH begun AS (
    SELECT
        purchase.app_id,
        purchase.original_transaction_id,
        purchase.purchase_date,
        max(purchase.expires_date) AS expires_date
    FROM (SELECT DISTINCT environment, original_transaction_id FROM renewal) AS renewed
    CROSS JOIN app ON app.environment = renewed.environment
    CROSS JOIN purchase
        ON purchase.original_transaction_id = renewed.original_transaction_id
        AND purchase.app_id = app.app_id
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    WHERE purchase.expires_date > purchase.purchase_date
        AND coalesce(terms.ownership, 'PURCHASED') <> 'FAMILY_SHARED'
    GROUP BY purchase.app_id, purchase.original_transaction_id, purchase.purchase_date
),

-- Begins and infos in one order, since a join of both would pair each info with every period.
told AS (
    SELECT
        app_id,
        original_transaction_id,
        purchase_date AS ms,
        expires_date,
        NULL AS receipt_id,
        NULL AS renewal_date
    FROM begun
    UNION ALL
    SELECT
        subscription.app_id,
        renewal.original_transaction_id,
        renewal.signed_at,
        NULL,
        renewal.receipt_id,
        renewal.renewal_date
    FROM (SELECT DISTINCT app_id, original_transaction_id FROM begun) AS subscription
    JOIN app ON app.app_id = subscription.app_id
    JOIN renewal
        ON renewal.original_transaction_id = subscription.original_transaction_id
        AND renewal.environment = app.environment
),

ordered AS (
    SELECT
        app_id,
        original_transaction_id,
        ms,
        receipt_id,
        renewal_date,
        max(CASE WHEN receipt_id IS NULL THEN ms END) OVER (
            PARTITION BY original_transaction_id, app_id ORDER BY ms
            RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS start_ms,
        max(expires_date) OVER (
            PARTITION BY original_transaction_id, app_id ORDER BY ms
            RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS expiry_ms,
        min(CASE WHEN receipt_id IS NULL THEN ms END) OVER (
            PARTITION BY original_transaction_id, app_id ORDER BY ms
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS next_ms
    FROM told
),

placed AS (
    SELECT
        app_id,
        original_transaction_id,
        receipt_id,
        ms,
        CASE
            WHEN next_ms <= ms + 86400000 AND renewal_date > next_ms AND renewal_date > expiry_ms + 3600000
                THEN next_ms
            ELSE start_ms
        END AS start_ms
    FROM ordered
    WHERE receipt_id IS NOT NULL
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(placed.original_transaction_id AS TEXT) AS subscription_id,
    placed.start_ms / 1000 AS start_second,
    row_number() OVER (
        PARTITION BY placed.original_transaction_id, placed.app_id, placed.start_ms
        ORDER BY placed.ms DESC, receipt.sha256 DESC
    ) AS place,
    placed.ms / 1000 AS signed_second,
    product.product_id,
    next_product.product_id AS auto_renew_product_id,
    renewal.auto_renew_status,
    renewal.expiration_intent,
    renewal.is_in_billing_retry,
    renewal.grace_period_expires_date / 1000 AS grace_second,
    renewal.renewal_date / 1000 AS renewal_second,
    renewal.renewal_price_milliunits,
    renewal.currency,
    renewal.offer_type,
    renewal.offer_id,
    renewal.price_increase_status,
    strftime('%Y-%m-%dT%H:%M:%SZ', placed.ms / 1000, 'unixepoch') AS signed_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.grace_period_expires_date / 1000, 'unixepoch')
        AS grace_period_expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.renewal_date / 1000, 'unixepoch') AS renewal_date,
    placed.app_id AS app_number,
    placed.original_transaction_id AS original_number
FROM placed
JOIN app ON app.app_id = placed.app_id
JOIN renewal ON renewal.receipt_id = placed.receipt_id
JOIN receipt ON receipt.receipt_id = placed.receipt_id
LEFT JOIN product ON product.product_number = renewal.product_number
LEFT JOIN product AS next_product ON next_product.product_number = renewal.auto_renew_product_number
WHERE placed.start_ms IS NOT NULL;
