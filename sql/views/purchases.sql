-- One row per transaction of an app in an environment: its latest state, as trusted receipts state it. "Seen" is when a
-- receipt that states the transaction, or a document that contains such a receipt, was submitted; else when that
-- document was created. Columns that only signed transactions state come from the newest signed transaction that states
-- them. The columns of a revocation come from the newest one that states this cancellation.
--
-- Columns:
--   environment                       –           attribute 0                      environment that the receipts state
--   bundle_id                         –           attribute 2                      bundle identifier of the app
--   transaction_id                    –           attribute 1703                   the store's identifier of the
--                                                                                  transaction
--   original_transaction_id           –           attribute 1705                   transaction that this one renews or
--                                                                                  restores
--   product_id                        –           attribute 1702                   product bought
--   quantity                          –           attribute 1701                   number of units bought
--   product_type                      –           attribute 1707                   0 non-consumable, 1 consumable, 2
--                                                                                  non-renewing subscription, 3
--                                                                                  auto-renewable subscription, −1
--                                                                                  unknown
--   purchase_date                     time        attribute 1704                   when the product was bought or
--                                                                                  renewed
--   original_purchase_date            time        attribute 1706                   purchase date of the original
--                                                                                  transaction
--   expires_date                      time        attribute 1708                   end of a subscription's period
--   cancellation_date                 time        attribute 1712                   when the purchase was refunded or
--                                                                                  revoked, or, in older data, upgraded
--                                                                                  to another product
--   web_order_line_item_id            –           attribute 1711                   identifier of the purchase that a
--                                                                                  restore does not change
--   is_trial_period                   0 or 1      attribute 1713                   1: a free trial
--   is_in_intro_offer_period          0 or 1      attribute 1719                   1: bought at an introductory price
--   promotional_offer_id              –           attribute 1721                   promotional offer that was redeemed
--   first_seen_at                     time        line                             when a receipt that states the
--                                                                                  transaction was first seen
--   last_seen_at                      time        line                             when a receipt that states the
--                                                                                  transaction was last seen
--   receipt_sha256                    –           –                                SHA-256 of the receipt that states
--                                                                                  the latest state of the transaction
--   price_milliunits                  milliunits  `price`                          price paid for the quantity, in
--                                                                                  thousandths of the currency, taxes
--                                                                                  included; for seats, the average
--                                                                                  price of one
--   currency                          –           `currency`                       currency of the price (ISO 4217)
--   storefront                        –           `storefront`                     country of the store (ISO 3166,
--                                                                                  three letters)
--   ownership                         –           `inAppOwnershipType`             `PURCHASED`, or a member's share:
--                                                                                  `FAMILY_SHARED`, or `ASSIGNED` by an
--                                                                                  organization or group
--   offer_type                        –           `offerType`                      1 introductory, 2 promotional, 3
--                                                                                  offer code, 4 win-back, 5 retention
--   offer_id                          –           `offerIdentifier`                the offer's identifier or code
--   offer_discount_type               –           `offerDiscountType`              how the offer is paid: `FREE_TRIAL`,
--                                                                                  `PAY_AS_YOU_GO`, `PAY_UP_FRONT` or
--                                                                                  `ONE_TIME`
--   offer_period                      –           `offerPeriod`                    how long the offer lasts (ISO 8601)
--   transaction_reason                –           `transactionReason`              `PURCHASE` by the customer, or
--                                                                                  automatic `RENEWAL` by the store
--   is_upgraded                       0 or 1      `isUpgraded`                     1: an upgrade to another product
--                                                                                  replaced the purchase
--   revocation_reason                 –           `revocationReason`               reason for the cancellation: 1 an
--                                                                                  issue of the app, 0 another
--   revocation_type                   –           `revocationType`                 `REFUND_FULL` or `REFUND_PRORATED`;
--                                                                                  or, without a refund,
--                                                                                  `FAMILY_REVOKE` or
--                                                                                  `ASSIGNMENT_REVOKE`
--   revoked_share                     0 to 1      `revocationPercentage`           part of the price that was refunded
--   subscription_group_id             –           `subscriptionGroupIdentifier`    identifier of the subscription group
--   app_account_token                 –           `appAccountToken`                token by which the app links the
--                                                                                  purchase to its user
--   app_transaction_id                –           `appTransactionId`               the store's identifier of the
--                                                                                  customer in this app
--   amount_milliunits                 milliunits  `price`                          amount charged: for seats, the sum
--                                                                                  of all their prices (`priceTiers`);
--                                                                                  else the price
--   billing_plan                      –           `billingPlanType`                `BILLED_UPFRONT`, or `MONTHLY` with
--                                                                                  a commitment
--   commitment_period                 –           `billingPeriodNumber`            number of this period within the
--                                                                                  commitment, from 1
--   commitment_periods                –           `totalBillingPeriods`            number of the commitment's periods
--   commitment_price_milliunits       milliunits  `commitmentPrice`                price of the whole commitment
--   commitment_expires_date           time        `commitmentExpiresDate`          end of the commitment
--   seats_revoked                     seats       `revokedSeatQuantity`            number of seats that were refunded
--   seat_invitations                  –           `invitationManagement`           `APPLE` or `DEVELOPER`: who invites
--                                                                                  the members of seats
--   additional_reason                 –           `additionalTransactionReason`    `SEAT_ADDITION`: the transaction
--                                                                                  adds seats to a running period
--   previous_original_transaction_id  –           `previousOriginalTransactionId`  original transaction of the purchase
--                                                                                  from which this one was moved
--   storefront_id                     –           `storefrontId`                   the store's number of the storefront
--   seat_price_tiers                  –           `priceTiers`                     how many seats were charged at which
--                                                                                  price, in JSON
--   product_type_name                 –           `type`                           the stated type of the product;
--                                                                                  product_type is −1 if this type is
--                                                                                  not known
CREATE VIEW purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(stated.original_transaction_id AS TEXT) AS original_transaction_id,
    product.product_id,
    stated.quantity,
    stated.product_type,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.purchase_date >= 0 THEN stated.purchase_date END / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.original_purchase_date >= 0 THEN stated.original_purchase_date END / 1000, 'unixepoch') AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.expires_date >= 0 THEN stated.expires_date END / 1000, 'unixepoch') AS expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.cancellation_date >= 0 THEN stated.cancellation_date END / 1000, 'unixepoch') AS cancellation_date,
    stated.web_order_line_item_id,
    stated.is_trial_period,
    stated.is_in_intro_offer_period,
    stated.promotional_offer_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE
        -- If no document contains another, the lookup by containing documents is skipped.
        WHEN EXISTS (SELECT 1 FROM receipt_part) THEN nullif(min(
            coalesce((
                SELECT min(coalesce(submission.submitted_at, presented.receipt_creation_date))
                FROM receipt_purchase
                JOIN receipt AS presented USING (receipt_id)
                JOIN submission USING (receipt_id)
                WHERE receipt_purchase.transaction_id = stated.transaction_id
                    AND presented.app_id = stated.app_id
                    AND presented.verdict = 'trusted'
            ), 1 << 62),
            coalesce((
                SELECT min(
                    coalesce(submission.submitted_at, holder.receipt_creation_date, presented.receipt_creation_date)
                )
                FROM receipt_purchase
                JOIN receipt AS presented USING (receipt_id)
                JOIN receipt_part ON receipt_part.part_receipt_id = presented.receipt_id
                JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
                JOIN submission ON submission.receipt_id = holder.receipt_id
                WHERE receipt_purchase.transaction_id = stated.transaction_id
                    AND presented.app_id = stated.app_id
                    AND presented.verdict = 'trusted'
            ), 1 << 62)
        ), 1 << 62)
        ELSE (
            SELECT min(coalesce(submission.submitted_at, presented.receipt_creation_date))
            FROM receipt_purchase
            JOIN receipt AS presented USING (receipt_id)
            JOIN submission USING (receipt_id)
            WHERE receipt_purchase.transaction_id = stated.transaction_id
                AND presented.app_id = stated.app_id
                AND presented.verdict = 'trusted'
        )
    END / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE
        -- If no document contains another, the lookup by containing documents is skipped.
        WHEN EXISTS (SELECT 1 FROM receipt_part) THEN nullif(max(
            coalesce((
                SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date))
                FROM receipt_purchase
                JOIN receipt AS presented USING (receipt_id)
                JOIN submission USING (receipt_id)
                WHERE receipt_purchase.transaction_id = stated.transaction_id
                    AND presented.app_id = stated.app_id
                    AND presented.verdict = 'trusted'
            ), -1),
            coalesce((
                SELECT max(
                    coalesce(submission.submitted_at, holder.receipt_creation_date, presented.receipt_creation_date)
                )
                FROM receipt_purchase
                JOIN receipt AS presented USING (receipt_id)
                JOIN receipt_part ON receipt_part.part_receipt_id = presented.receipt_id
                JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
                JOIN submission ON submission.receipt_id = holder.receipt_id
                WHERE receipt_purchase.transaction_id = stated.transaction_id
                    AND presented.app_id = stated.app_id
                    AND presented.verdict = 'trusted'
            ), -1)
        ), -1)
        ELSE (
            SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date))
            FROM receipt_purchase
            JOIN receipt AS presented USING (receipt_id)
            JOIN submission USING (receipt_id)
            WHERE receipt_purchase.transaction_id = stated.transaction_id
                AND presented.app_id = stated.app_id
                AND presented.verdict = 'trusted'
        )
    END / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    terms.price_milliunits,
    terms.currency,
    terms.storefront,
    terms.ownership,
    terms.offer_type,
    terms.offer_id,
    terms.offer_discount_type,
    terms.offer_period,
    terms.transaction_reason,
    terms.is_upgraded,
    revoked.revocation_reason,
    revoked.revocation_type,
    revoked.revoked_share,
    terms.subscription_group_id,
    terms.app_account_token,
    terms.app_transaction_id,
    coalesce(terms.amount_milliunits, terms.price_milliunits) AS amount_milliunits,
    terms.billing_plan,
    terms.commitment_period,
    terms.commitment_periods,
    terms.commitment_price_milliunits,
    strftime('%Y-%m-%dT%H:%M:%SZ', terms.commitment_expires_date / 1000, 'unixepoch') AS commitment_expires_date,
    terms.seats_revoked,
    terms.seat_invitations,
    terms.additional_reason,
    CAST(terms.previous_original_transaction_id AS TEXT) AS previous_original_transaction_id,
    terms.storefront_id,
    terms.seat_price_tiers,
    terms.product_type_name
FROM purchase AS stated
JOIN app USING (app_id)
JOIN receipt USING (receipt_id)
LEFT JOIN product USING (product_number)
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = 'trusted'
-- If a signed transaction states a revocation, its transaction has terms. Without terms, no lookup is made.
LEFT JOIN internal_latest_revocations AS revoked
    ON revoked.terms_id = terms.terms_id
    AND revoked.revocation_second = stated.cancellation_date / 1000;
