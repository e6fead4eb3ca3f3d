-- One row per transaction, verdict and kind of receipt: what receipts that are
-- not trusted claim. What only signed transactions tell stands with their claims.
--
-- Columns:
--   environment                       –           attribute 0                      as in `purchases`, and so the
--                                                                                  following
--   bundle_id                         –           attribute 2                      as in purchases
--   transaction_id                    –           attribute 1703                   as in purchases
--   original_transaction_id           –           attribute 1705                   as in purchases
--   product_id                        –           attribute 1702                   as in purchases
--   quantity                          –           attribute 1701                   as in purchases
--   product_type                      –           attribute 1707                   as in purchases
--   purchase_date                     time        attribute 1704                   as in purchases
--   original_purchase_date            time        attribute 1706                   as in purchases
--   expires_date                      time        attribute 1708                   as in purchases
--   cancellation_date                 time        attribute 1712                   as in purchases
--   web_order_line_item_id            –           attribute 1711                   as in purchases
--   is_trial_period                   0 or 1      attribute 1713                   as in purchases
--   is_in_intro_offer_period          0 or 1      attribute 1719                   as in purchases
--   promotional_offer_id              –           attribute 1721                   as in purchases
--   first_seen_at                     time        line                             as in purchases
--   last_seen_at                      time        line                             as in purchases
--   receipt_sha256                    –           –                                as in purchases
--   verdict                           –           –                                of the receipts that claim it
--   price_milliunits                  milliunits  `price`                          as in purchases
--   currency                          –           `currency`                       as in purchases
--   storefront                        –           `storefront`                     as in purchases
--   ownership                         –           `inAppOwnershipType`             as in purchases
--   offer_type                        –           `offerType`                      as in purchases
--   offer_id                          –           `offerIdentifier`                as in purchases
--   offer_discount_type               –           `offerDiscountType`              as in purchases
--   offer_period                      –           `offerPeriod`                    as in purchases
--   transaction_reason                –           `transactionReason`              as in purchases
--   is_upgraded                       0 or 1      `isUpgraded`                     as in purchases
--   revocation_reason                 –           `revocationReason`               as in purchases
--   revocation_type                   –           `revocationType`                 as in purchases
--   revoked_share                     0 to 1      `revocationPercentage`           as in purchases
--   subscription_group_id             –           `subscriptionGroupIdentifier`    as in purchases
--   app_account_token                 –           `appAccountToken`                as in purchases
--   app_transaction_id                –           `appTransactionId`               as in purchases
--   amount_milliunits                 milliunits  `price`                          as in purchases
--   billing_plan                      –           `billingPlanType`                as in purchases
--   commitment_period                 –           `billingPeriodNumber`            as in purchases
--   commitment_periods                –           `totalBillingPeriods`            as in purchases
--   commitment_price_milliunits       milliunits  `commitmentPrice`                as in purchases
--   commitment_expires_date           time        `commitmentExpiresDate`          as in purchases
--   seats_revoked                     seats       `revokedSeatQuantity`            as in purchases
--   seat_invitations                  –           `invitationManagement`           as in purchases
--   additional_reason                 –           `additionalTransactionReason`    as in purchases
--   previous_original_transaction_id  –           `previousOriginalTransactionId`  as in purchases
--   storefront_id                     –           `storefrontId`                   as in purchases
--   seat_price_tiers                  –           `priceTiers`                     as in purchases
--   product_type_name                 –           `type`                           as in purchases
CREATE VIEW claimed_purchases AS
SELECT
    environment, bundle_id, transaction_id, original_transaction_id, product_id, quantity, product_type,
    purchase_date, original_purchase_date, expires_date, cancellation_date, web_order_line_item_id,
    is_trial_period, is_in_intro_offer_period, promotional_offer_id, first_seen_at, last_seen_at,
    receipt_sha256, verdict, price_milliunits, currency, storefront, ownership, offer_type, offer_id,
    offer_discount_type, offer_period, transaction_reason, is_upgraded, revocation_reason, revocation_type,
    revoked_share, subscription_group_id, app_account_token, app_transaction_id, amount_milliunits,
    billing_plan, commitment_period, commitment_periods, commitment_price_milliunits, commitment_expires_date,
    seats_revoked, seat_invitations, additional_reason, previous_original_transaction_id, storefront_id,
    seat_price_tiers, product_type_name
FROM model_stated_purchases
WHERE verdict <> 'trusted';
