-- One row per subscription with a trusted renewal info: what the renewal info signed last states. Environment and
-- original transaction identify a subscription; internal_latest_renewals explains how its app is found.
--
-- Columns:
--   environment                          –           `environment`                       environment that the renewal
--                                                                                        info states
--   bundle_id                            –           –                                   bundle identifier of the app;
--                                                                                        null if unknown
--   original_transaction_id              –           `originalTransactionId`             original transaction of the
--                                                                                        subscription
--   product_id                           –           `productId`                         product of the current period
--   auto_renew_product_id                –           `autoRenewProductId`                product of the next period
--   auto_renew_status                    0 or 1      `autoRenewStatus`                   1: the subscription will renew
--   expiration_intent                    –           `expirationIntent`                  why the subscription expired:
--                                                                                        1 the customer canceled, 2
--                                                                                        billing, 3 a price increase, 4
--                                                                                        the product was removed, 5
--                                                                                        other
--   is_in_billing_retry                  0 or 1      `isInBillingRetryPeriod`            1: the store retries the
--                                                                                        payment
--   grace_period_expires_date            time        `gracePeriodExpiresDate`            end of the grace period
--   renewal_date                         time        `renewalDate`                       when the subscription renews
--                                                                                        next
--   renewal_price_milliunits             milliunits  `renewalPrice`                      price at the renewal, in
--                                                                                        thousandths of the currency
--   currency                             –           `currency`                          currency of the price (ISO
--                                                                                        4217)
--   offer_type                           –           `offerType`                         of the next period: 1
--                                                                                        introductory, 2 promotional, 3
--                                                                                        offer code, 4 win-back, 5
--                                                                                        retention
--   offer_id                             –           `offerIdentifier`                   of the next period: the
--                                                                                        offer's identifier or code
--   price_increase_status                0 or 1      `priceIncreaseStatus`               1: the customer agreed to a
--                                                                                        price increase
--   recent_subscription_start_date       time        `recentSubscriptionStartDate`       when the subscription last
--                                                                                        began; lapses shorter than 60
--                                                                                        days do not count
--   signed_at                            time        `signedDate`                        when the store signed the
--                                                                                        renewal info
--   receipt_sha256                       –           –                                   SHA-256 of the renewal info
--   billing_plan                         –           `renewalBillingPlanType`            of the next period:
--                                                                                        `BILLED_UPFRONT` or `MONTHLY`
--   commitment_auto_renew_status         0 or 1      `commitmentAutoRenewStatus`         1: another commitment follows;
--                                                                                        0: the subscription ends with
--                                                                                        this one
--   commitment_renewal_date              time        `commitmentRenewalDate`             when the commitment renews
--   commitment_renewal_price_milliunits  milliunits  `commitmentRenewalPrice`            price of the next commitment
--   renewal_quantity                     seats       `renewalQuantity`                   number of seats in the next
--                                                                                        period
--   renewal_amount_milliunits            milliunits  `renewalPrice`                      amount that will be charged:
--                                                                                        for seats, the sum of all
--                                                                                        their prices
--                                                                                        (`renewalPriceTiers`); else
--                                                                                        the price
--   commitment_product_id                –           `commitmentAutoRenewProductId`      product of the next commitment
--   commitment_billing_plan              –           `commitmentRenewalBillingPlanType`  how the next commitment is
--                                                                                        billed
--   renewal_price_tiers                  –           `renewalPriceTiers`                 how many seats will be charged
--                                                                                        at which price, in JSON
--   offer_discount_type                  –           `offerDiscountType`                 of the next period: how the
--                                                                                        offer is paid: `FREE_TRIAL`,
--                                                                                        `PAY_AS_YOU_GO`,
--                                                                                        `PAY_UP_FRONT` or `ONE_TIME`
--   offer_period                         –           `offerPeriod`                       of the next period: how long
--                                                                                        the offer lasts (ISO 8601)
--   eligible_win_back_offer_ids          –           `eligibleWinBackOfferIds`           win-back offers that the
--                                                                                        customer may take, in JSON
--   commerce_period                      –           `period`                            for a sale by the Advanced
--                                                                                        Commerce API: length of a
--                                                                                        period (ISO 8601)
--   request_reference_id                 –           `requestReferenceId`                for a sale by the Advanced
--                                                                                        Commerce API: identifier of
--                                                                                        the app's request
--   consistency_token                    –           `consistencyToken`                  for a sale by the Advanced
--                                                                                        Commerce API: state for the
--                                                                                        app's next request
--   tax_code                             –           `taxCode`                           for a sale by the Advanced
--                                                                                        Commerce API: code of the tax
--                                                                                        category
--   sale_name                            –           `descriptors`                       for a sale by the Advanced
--                                                                                        Commerce API: name that the
--                                                                                        customer sees
--   sale_description                     –           `descriptors`                       for a sale by the Advanced
--                                                                                        Commerce API: description that
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
FROM internal_latest_renewals AS latest
CROSS JOIN renewal
CROSS JOIN receipt
LEFT JOIN product ON product.product_number = renewal.product_number
LEFT JOIN product AS next_product ON next_product.product_number = renewal.auto_renew_product_number
LEFT JOIN commerce ON commerce.receipt_id = renewal.receipt_id
LEFT JOIN product AS commitment_product ON commitment_product.product_number = renewal.commitment_product_number
WHERE renewal.receipt_id = latest.receipt_id
    AND receipt.receipt_id = latest.receipt_id;
