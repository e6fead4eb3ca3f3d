-- One row per transaction of an app in an environment: its latest state, stated
-- by trusted receipts. Seen at: when a receipt that states it was submitted,
-- else when that receipt was created; one that stands inside another, when that
-- was. Of what only signed transactions tell, each column is from the newest that
-- states it; what a revocation says, from the newest that states this cancellation.
--
-- Columns:
--   environment                       –           attribute 0                      the receipts' environment
--   bundle_id                         –           attribute 2                      the app
--   transaction_id                    –           attribute 1703                   the transaction
--   original_transaction_id           –           attribute 1705                   the transaction that it renews or
--                                                                                  restores
--   product_id                        –           attribute 1702                   product bought
--   quantity                          –           attribute 1701                   how many
--   product_type                      –           attribute 1707                   0 non-consumable, 1 consumable, 2
--                                                                                  non-renewing subscription, 3
--                                                                                  auto-renewable subscription, −1
--                                                                                  unknown
--   purchase_date                     time        attribute 1704                   when it was bought or renewed
--   original_purchase_date            time        attribute 1706                   when the original was bought
--   expires_date                      time        attribute 1708                   end of the period, of subscriptions
--   cancellation_date                 time        attribute 1712                   refunded, family sharing revoked,
--                                                                                  or, in older data, upgraded
--   web_order_line_item_id            –           attribute 1711                   which stays when a purchase is
--                                                                                  restored
--   is_trial_period                   0 or 1      attribute 1713                   1: a free trial
--   is_in_intro_offer_period          0 or 1      attribute 1719                   1: at an introductory price
--   promotional_offer_id              –           attribute 1721                   offer that was redeemed
--   first_seen_at                     time        line                             when a receipt that states it was
--                                                                                  first seen
--   last_seen_at                      time        line                             when one was last seen
--   receipt_sha256                    –           –                                the receipt that states this state
--   price_milliunits                  milliunits  `price`                          price paid for the quantity, in
--                                                                                  thousandths of the currency, taxes
--                                                                                  included; of seats the average of one
--   currency                          –           `currency`                       currency of the price (ISO 4217)
--   storefront                        –           `storefront`                     country of the store (ISO 3166,
--                                                                                  three letters)
--   ownership                         –           `inAppOwnershipType`             `PURCHASED`; of a member's share
--                                                                                  `FAMILY_SHARED`, or `ASSIGNED` by an
--                                                                                  organization or group
--   offer_type                        –           `offerType`                      1 introductory, 2 promotional, 3
--                                                                                  offer code, 4 win-back, 5 retention
--   offer_id                          –           `offerIdentifier`                the offer's identifier or code
--   offer_discount_type               –           `offerDiscountType`              `FREE_TRIAL`, `PAY_AS_YOU_GO`,
--                                                                                  `PAY_UP_FRONT`, `ONE_TIME`
--   offer_period                      –           `offerPeriod`                    how long the offer lasts (ISO 8601)
--   transaction_reason                –           `transactionReason`              `PURCHASE`, or `RENEWAL` by the
--                                                                                  store
--   is_upgraded                       0 or 1      `isUpgraded`                     1: another product of the
--                                                                                  subscription took its place
--   revocation_reason                 –           `revocationReason`               1 an issue of the app, 0 another, of
--                                                                                  the cancellation
--   revocation_type                   –           `revocationType`                 `REFUND_FULL`, `REFUND_PRORATED`; no
--                                                                                  refunds are `FAMILY_REVOKE` and
--                                                                                  `ASSIGNMENT_REVOKE`
--   revoked_share                     0 to 1      `revocationPercentage`           part of the price that was refunded
--   subscription_group_id             –           `subscriptionGroupIdentifier`    group of the subscription
--   app_account_token                 –           `appAccountToken`                token that the app gave the purchase
--                                                                                  for its user
--   app_transaction_id                –           `appTransactionId`               the store's number of customer and
--                                                                                  app
--   amount_milliunits                 milliunits  `price`                          what was charged: of seats the
--                                                                                  prices of all together
--                                                                                  (`priceTiers`), else the price
--   billing_plan                      –           `billingPlanType`                `BILLED_UPFRONT`, or `MONTHLY` with
--                                                                                  a commitment
--   commitment_period                 –           `billingPeriodNumber`            which of the commitment's periods it
--                                                                                  is, from 1
--   commitment_periods                –           `totalBillingPeriods`            number of the commitment's periods
--   commitment_price_milliunits       milliunits  `commitmentPrice`                price of the whole commitment
--   commitment_expires_date           time        `commitmentExpiresDate`          end of the commitment
--   seats_revoked                     seats       `revokedSeatQuantity`            of the quantity, seats that were
--                                                                                  refunded
--   seat_invitations                  –           `invitationManagement`           `APPLE` or `DEVELOPER`: who invites
--                                                                                  the members of seats
--   additional_reason                 –           `additionalTransactionReason`    `SEAT_ADDITION`: several
--                                                                                  transactions make up the period
--   previous_original_transaction_id  –           `previousOriginalTransactionId`  the purchase from which this one was
--                                                                                  moved
--   storefront_id                     –           `storefrontId`                   the store's number of the country
--   seat_price_tiers                  –           `priceTiers`                     how many seats were charged at which
--                                                                                  price, in JSON
--   product_type_name                 –           `type`                           the type that product_type calls −1
CREATE VIEW purchases AS
SELECT
    environment, bundle_id, transaction_id, original_transaction_id, product_id, quantity, product_type,
    purchase_date, original_purchase_date, expires_date, cancellation_date, web_order_line_item_id,
    is_trial_period, is_in_intro_offer_period, promotional_offer_id, first_seen_at, last_seen_at,
    receipt_sha256, price_milliunits, currency, storefront, ownership, offer_type, offer_id,
    offer_discount_type, offer_period, transaction_reason, is_upgraded, revocation_reason, revocation_type,
    revoked_share, subscription_group_id, app_account_token, app_transaction_id, amount_milliunits,
    billing_plan, commitment_period, commitment_periods, commitment_price_milliunits, commitment_expires_date,
    seats_revoked, seat_invitations, additional_reason, previous_original_transaction_id, storefront_id,
    seat_price_tiers, product_type_name
FROM model_stated_purchases
WHERE verdict = 'trusted';
