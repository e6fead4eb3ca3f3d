-- What trusted signed transactions state about a transaction, beyond what receipts state.
--
-- Grain: one row per transaction of which a signed transaction speaks
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id           INTEGER  –           the transaction, by the loader's number
--   is_shared             INTEGER  0 or 1      1: a member's share of somebody else's purchase
--   price_milliunits      INTEGER  milliunits  amount charged; for seats, of all seats together
--   currency              TEXT     –           currency of the price
--   storefront            TEXT     –           country of the store (ISO 3166, three letters)
--   offer_type            INTEGER  –           `offerType`: 1 introductory, 2 promotional, 3 offer code, 4 win-back, 5
--                                              retention
--   is_upgraded           INTEGER  0 or 1      1: an upgrade to another product replaced the purchase
--   app_account_token     TEXT     –           `appAccountToken`: token that the app gave the purchase for its user
--   app_transaction_id    TEXT     –           `appTransactionId`: identifier of the customer and app
--   billing_plan          TEXT     –           billing plan: MONTHLY for a commitment paid monthly; null if billed
--                                              upfront
--   commitment_period     INTEGER  –           number of the period within its commitment, from 1
--   commitment_periods    INTEGER  –           number of the commitment's periods
--   commitment_ms         INTEGER  ms          end of the commitment
--   seats                 INTEGER  seats       seats bought, less seats revoked; null if the purchase is not sold by
--                                              the seat
--   seats_revoked         INTEGER  seats       seats that were refunded, of the quantity bought
--   additional_reason     TEXT     –           `additionalTransactionReason`: SEAT_ADDITION if the transaction adds
--                                              seats to a running period
--   is_renewal            INTEGER  0 or 1      1: the transaction is stated to be a renewal
--   previous_original_id  ANY      –           previous original transaction, which this subscription continues
--   subscription_group    TEXT     –           identifier of the subscription group
SELECT
    purchase.purchase_id,
    CASE WHEN sharing.ownership IS NULL THEN 0 ELSE 1 END AS is_shared,
    coalesce(terms.amount_milliunits, terms.price_milliunits) AS price_milliunits,
    terms.currency, terms.storefront, terms.offer_type, terms.is_upgraded, terms.app_account_token,
    terms.app_transaction_id,
    nullif(terms.billing_plan, 'BILLED_UPFRONT') AS billing_plan,
    terms.commitment_period, terms.commitment_periods, terms.commitment_expires_date AS commitment_ms,
    CASE
        WHEN coalesce(terms.amount_milliunits, terms.seats_revoked) IS NOT NULL OR terms.additional_reason IS NOT NULL
            THEN purchase.quantity
                - CASE
                    WHEN terms.seats_revoked < 0 OR terms.seats_revoked IS NULL THEN 0
                    WHEN terms.seats_revoked > purchase.quantity THEN purchase.quantity
                    ELSE terms.seats_revoked
                END
    END AS seats,
    CASE WHEN terms.seats_revoked > purchase.quantity THEN purchase.quantity ELSE terms.seats_revoked END
        AS seats_revoked,
    terms.additional_reason,
    CASE WHEN terms.transaction_reason = 'RENEWAL' THEN 1 ELSE 0 END AS is_renewal,
    terms.previous_original_transaction_id AS previous_original_id, terms.subscription_group_id AS subscription_group
FROM purchase_terms AS terms
JOIN purchase
    ON purchase.transaction_id = terms.transaction_id
    AND purchase.app_id = terms.app_id
LEFT JOIN internal_sharing AS sharing ON sharing.ownership = terms.ownership
WHERE terms.verdict = 'trusted'
