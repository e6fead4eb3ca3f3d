-- One row per subscription of which trusted renewal infos tell: what the one signed
-- last says of its renewal. Subscriptions are known by environment and original
-- transaction; model_latest_renewals says how the app is found.
--
-- Columns:
--   environment                          –           `environment`                       as in receipts
--   bundle_id                            –           –                                   the app; null if none is
--                                                                                        known
--   original_transaction_id              –           `originalTransactionId`             the subscription
--   product_id                           –           `productId`                         product of the period
--   auto_renew_product_id                –           `autoRenewProductId`                product of the next
--   auto_renew_status                    0 or 1      `autoRenewStatus`                   1: it will renew
--   expiration_intent                    –           `expirationIntent`                  why it expired: 1 the
--                                                                                        customer, 2 billing, 3 a price
--                                                                                        increase, 4 the product is
--                                                                                        gone, 5 other
--   is_in_billing_retry                  0 or 1      `isInBillingRetryPeriod`            1: the store tries to charge
--   grace_period_expires_date            time        `gracePeriodExpiresDate`            until when it may be used
--                                                                                        meanwhile
--   renewal_date                         time        `renewalDate`                       when it renews
--   renewal_price_milliunits             milliunits  `renewalPrice`                      price then, in thousandths of
--                                                                                        the currency
--   currency                             –           `currency`                          currency of the price (ISO
--                                                                                        4217)
--   offer_type                           –           `offerType`                         as in purchases, of the next
--                                                                                        period
--   offer_id                             –           `offerIdentifier`                   as in purchases, of the next
--                                                                                        period
--   price_increase_status                0 or 1      `priceIncreaseStatus`               1: the customer agreed to it
--   recent_subscription_start_date       time        `recentSubscriptionStartDate`       when it began last, after
--                                                                                        pauses
--   signed_at                            time        `signedDate`                        when the store signed this
--   receipt_sha256                       –           –                                   the renewal info
--   billing_plan                         –           `renewalBillingPlanType`            `BILLED_UPFRONT` or `MONTHLY`,
--                                                                                        of the next period
--   commitment_auto_renew_status         0 or 1      `commitmentAutoRenewStatus`         1: another commitment follows;
--                                                                                        0: it ends with this one
--   commitment_renewal_date              time        `commitmentRenewalDate`             when the commitment renews
--   commitment_renewal_price_milliunits  milliunits  `commitmentRenewalPrice`            price of the next commitment
--   renewal_quantity                     seats       `renewalQuantity`                   seats of the next period
--   renewal_amount_milliunits            milliunits  `renewalPrice`                      what will be charged: of seats
--                                                                                        the prices of all together
--                                                                                        (`renewalPriceTiers`), else
--                                                                                        the price
--   commitment_product_id                –           `commitmentAutoRenewProductId`      product of the next commitment
--   commitment_billing_plan              –           `commitmentRenewalBillingPlanType`  how the next commitment is
--                                                                                        billed
--   renewal_price_tiers                  –           `renewalPriceTiers`                 how many seats will be charged
--                                                                                        at which price, in JSON
--   offer_discount_type                  –           `offerDiscountType`                 as in purchases, of the next
--                                                                                        period
--   offer_period                         –           `offerPeriod`                       as in purchases, of the next
--                                                                                        period
--   eligible_win_back_offer_ids          –           `eligibleWinBackOfferIds`           win-back offers that the
--                                                                                        customer may take, in JSON
--   commerce_period                      –           `period`                            of a sale by the Advanced
--                                                                                        Commerce API: length of a
--                                                                                        period
--   request_reference_id                 –           `requestReferenceId`                of that sale: the app's
--                                                                                        request
--   consistency_token                    –           `consistencyToken`                  of that sale: state for the
--                                                                                        app's next request
--   tax_code                             –           `taxCode`                           of that sale: kind of product
--                                                                                        for taxes
--   sale_name                            –           `descriptors`                       of that sale: name that the
--                                                                                        customer sees
--   sale_description                     –           `descriptors`                       of that sale: description that
--                                                                                        the customer sees
CREATE VIEW renewals AS
SELECT
    nullif(latest.environment, '') AS environment,
    latest.bundle_id,
    CAST(latest.original_transaction_id AS TEXT) AS original_transaction_id,
    product.product_id,
    next_product.product_id AS auto_renew_product_id,
    renewal.auto_renew_status,
    renewal.expiration_intent,
    renewal.is_in_billing_retry,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.grace_period_expires_date / 1000, 'unixepoch')
        AS grace_period_expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.renewal_date / 1000, 'unixepoch') AS renewal_date,
    renewal.renewal_price_milliunits,
    renewal.currency,
    renewal.offer_type,
    renewal.offer_id,
    renewal.price_increase_status,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.recent_subscription_start_date / 1000, 'unixepoch')
        AS recent_subscription_start_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', latest.signed_at / 1000, 'unixepoch') AS signed_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    renewal.billing_plan,
    renewal.commitment_auto_renew_status,
    strftime('%Y-%m-%dT%H:%M:%SZ', renewal.commitment_renewal_date / 1000, 'unixepoch') AS commitment_renewal_date,
    renewal.commitment_renewal_price_milliunits,
    renewal.renewal_quantity,
    coalesce(renewal.renewal_amount_milliunits, renewal.renewal_price_milliunits) AS renewal_amount_milliunits,
    commitment_product.product_id AS commitment_product_id,
    renewal.commitment_billing_plan,
    renewal.renewal_price_tiers,
    renewal.offer_discount_type,
    renewal.offer_period,
    renewal.eligible_win_back_offer_ids,
    commerce.commerce_period,
    commerce.request_reference_id,
    commerce.consistency_token,
    commerce.tax_code,
    commerce.display_name AS sale_name,
    commerce.description AS sale_description
FROM model_latest_renewals AS latest
CROSS JOIN renewal
CROSS JOIN receipt
LEFT JOIN product ON product.product_number = renewal.product_number
LEFT JOIN product AS next_product ON next_product.product_number = renewal.auto_renew_product_number
LEFT JOIN commerce ON commerce.receipt_id = renewal.receipt_id
LEFT JOIN product AS commitment_product ON commitment_product.product_number = renewal.commitment_product_number
WHERE renewal.receipt_id = latest.receipt_id
    AND receipt.receipt_id = latest.receipt_id;
