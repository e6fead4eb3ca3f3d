-- One row per transaction, verdict and kind of receipt: what untrusted receipts claim. Columns of signed transactions
-- alone are null in claims of other kinds.
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
        -- Where nothing holds parts, none are looked up.
        WHEN EXISTS (SELECT 1 FROM receipt_part) THEN nullif(min(
            coalesce((
                SELECT min(coalesce(submission.submitted_at, presented.receipt_creation_date))
                FROM receipt_purchase
                JOIN receipt AS presented USING (receipt_id)
                JOIN submission USING (receipt_id)
                WHERE receipt_purchase.transaction_id = stated.transaction_id
                    AND presented.app_id = stated.app_id
                    AND presented.verdict = stated.verdict
                    AND presented.kind = stated.kind
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
                    AND presented.verdict = stated.verdict
                    AND presented.kind = stated.kind
            ), 1 << 62)
        ), 1 << 62)
        ELSE (
            SELECT min(coalesce(submission.submitted_at, presented.receipt_creation_date))
            FROM receipt_purchase
            JOIN receipt AS presented USING (receipt_id)
            JOIN submission USING (receipt_id)
            WHERE receipt_purchase.transaction_id = stated.transaction_id
                AND presented.app_id = stated.app_id
                AND presented.verdict = stated.verdict
                AND presented.kind = stated.kind
        )
    END / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE
        -- Where nothing holds parts, none are looked up.
        WHEN EXISTS (SELECT 1 FROM receipt_part) THEN nullif(max(
            coalesce((
                SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date))
                FROM receipt_purchase
                JOIN receipt AS presented USING (receipt_id)
                JOIN submission USING (receipt_id)
                WHERE receipt_purchase.transaction_id = stated.transaction_id
                    AND presented.app_id = stated.app_id
                    AND presented.verdict = stated.verdict
                    AND presented.kind = stated.kind
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
                    AND presented.verdict = stated.verdict
                    AND presented.kind = stated.kind
            ), -1)
        ), -1)
        ELSE (
            SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date))
            FROM receipt_purchase
            JOIN receipt AS presented USING (receipt_id)
            JOIN submission USING (receipt_id)
            WHERE receipt_purchase.transaction_id = stated.transaction_id
                AND presented.app_id = stated.app_id
                AND presented.verdict = stated.verdict
                AND presented.kind = stated.kind
        )
    END / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    stated.verdict,
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
FROM claimed_purchase AS stated
JOIN app USING (app_id)
JOIN receipt USING (receipt_id)
LEFT JOIN product USING (product_number)
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = stated.verdict
    AND stated.kind = 'signed_transaction'
-- A transaction whose revocation a signed transaction states has terms: where it has none, nothing is looked up.
LEFT JOIN model_latest_revocations AS revoked
    ON revoked.terms_id = terms.terms_id
    AND revoked.revocation_second = stated.cancellation_date / 1000;
