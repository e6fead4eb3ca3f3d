-- What trusted signed data states of a transaction beside what receipts do.
--
-- Grain: one row per transaction of which a signed transaction speaks
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id           INTEGER  –           the transaction, by the loader's number
--   is_shared             INTEGER  0 or 1      1: a member's share of somebody else's purchase
--   price_milliunits      INTEGER  milliunits  what was charged: of seats the prices of all, else the price
--   currency              TEXT     –           currency of that
--   storefront            TEXT     –           country of the store
--   offer_type            INTEGER  –           as in purchases
--   is_upgraded           INTEGER  0 or 1      1: another product took its place
--   app_account_token     TEXT     –           as in purchases
--   app_transaction_id    TEXT     –           as in purchases
--   billing_plan          TEXT     –           as in purchases; null for what is billed upfront
--   commitment_period     INTEGER  –           as in purchases
--   commitment_periods    INTEGER  –           as in purchases
--   commitment_ms         INTEGER  ms          end of the commitment
--   seats                 INTEGER  seats       seats bought less seats revoked; null for what is not sold by the seat
--   seats_revoked         INTEGER  seats       as in purchases
--   additional_reason     TEXT     –           as in purchases
--   is_renewal            INTEGER  0 or 1      1: stated to be a renewal
--   previous_original_id  ANY      –           the original transaction that this subscription had before
--   subscription_group    TEXT     –           as in purchases, subscription_group_id
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
LEFT JOIN model_sharing AS sharing ON sharing.ownership = terms.ownership
WHERE terms.verdict = 'trusted'
