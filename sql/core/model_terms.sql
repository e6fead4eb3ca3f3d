-- What trusted signed data states of a transaction beside what receipts do.
--
-- Grain: one row per transaction of which a signed transaction speaks
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id         INTEGER  –           the transaction, by the loader's number
--   is_shared           INTEGER  0 or 1      1: a member's share of somebody else's purchase
--   price_milliunits    INTEGER  milliunits  what was charged
--   currency            TEXT     –           currency of that
--   storefront          TEXT     –           country of the store
--   offer_type          INTEGER  –           as in purchases
--   is_upgraded         INTEGER  0 or 1      1: another product took its place
--   app_account_token   TEXT     –           as in purchases
--   app_transaction_id  TEXT     –           as in purchases
SELECT
    purchase.purchase_id,
    CASE WHEN terms.ownership IN ('FAMILY_SHARED', 'ASSIGNED') THEN 1 ELSE 0 END AS is_shared,
    terms.price_milliunits,
    terms.currency,
    terms.storefront,
    terms.offer_type,
    terms.is_upgraded,
    terms.app_account_token,
    terms.app_transaction_id
FROM purchase_terms AS terms
JOIN purchase
    ON purchase.transaction_id = terms.transaction_id
    AND purchase.app_id = terms.app_id
WHERE terms.verdict = 'trusted'
