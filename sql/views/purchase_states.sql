-- The purchases by number, with what is worked out of them: when each was sold,
-- whether an upgrade canceled it, and whether it is a copy.
--
-- A restore makes a copy of a purchase under a new transaction identifier. Of the
-- original and its copies one counts, and is_restored is 1 for the others: the one
-- that states a cancellation, since receipts after a restore tell it of the copy
-- alone; else the original; else the one with the least identifier. Consumables
-- can't be restored. Periods of a subscription share the original; a copy also
-- begins and expires alike. What a family shares is no copy.
--
-- Columns:
--   app_number               –                        –               the app's number in this database alone
--   transaction_id           –                        attribute 1703  the transaction
--   original_transaction_id  –                        attribute 1705  the original; the transaction's own where none is
--                                                                     stated
--   product_number           –                        attribute 1702  the product's number in this database alone
--   product_type             –                        attribute 1707  as in purchases
--   quantity                 –                        attribute 1701  how many; 1 where none is stated
--   sold_ms                  milliseconds since 1970  attribute 1704  when it was bought; of a copy that alone states a
--                                                                     cancellation, when the first of its kind was
--   cancellation_ms          milliseconds since 1970  attribute 1712  when it was canceled
--   expiry_ms                milliseconds since 1970  attribute 1708  when it expires
--   is_trial_period          0 or 1                   attribute 1713  1: a free trial
--   is_upgraded              0 or 1                   –               1: canceled by an upgrade: no signed transaction
--                                                                     states a type or reason of the cancellation, and
--                                                                     one states the upgrade, or another product of the
--                                                                     subscription began within a minute
--   is_cut_short             0 or 1                   –               1: another product of the subscription began before
--                                                                     it expired
--   is_refund                0 or 1                   –               1: canceled, and neither by an upgrade, nor by a
--                                                                     withdrawal (revocation_kind), nor of what cost
--                                                                     nothing or is a family member's share
--   is_restored              0 or 1                   –               1: a copy or an original, of which another counts
--   is_family                0 or 1                   –               1: a family member's share
--   receipt_number           –                        –               the number of the receipt that states this state, in
--                                                                     this database alone
--   purchase_number          –                        –               the purchase's number in this database alone
--   terms_number             –                        –               that of what signed transactions alone tell of it
--   told_terms_number        –                        –               the same; where none tells of it, that of the
--                                                                     original or copy of which one does
--   transaction_number       –                        attribute 1703  the transaction, as the loader keeps it
--   original_number          –                        attribute 1705  the original; the transaction itself where none is
--                                                                     stated
--   is_in_intro_offer_period  0 or 1                  attribute 1719  as in purchases
--   promotional_offer_id     –                        attribute 1721  as in purchases
--   revocation_reason        –                        –               of the cancellation, as in latest_revocations
--   revocation_type          –                        –               likewise
--   revocation_kind          –                        –               likewise
--   revoked_share            0 to 1                   –               likewise
CREATE VIEW purchase_states AS
SELECT
    stated.app_id AS app_number,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(stated.original_transaction_id, stated.transaction_id) AS TEXT) AS original_transaction_id,
    stated.product_number,
    stated.product_type,
    coalesce(stated.quantity, 1) AS quantity,
    coalesce(marks.first_ms, stated.purchase_date) AS sold_ms,
    stated.cancellation_date AS cancellation_ms,
    stated.expires_date AS expiry_ms,
    CASE WHEN coalesce(stated.is_trial_period, 0) = 0 THEN 0 ELSE 1 END AS is_trial_period,
    CASE
        WHEN stated.cancellation_date IS NULL THEN 0
        WHEN revoked.revocation_kind IS NOT NULL THEN 0
        WHEN told_terms.is_upgraded = 1 OR marks.is_upgraded = 1 THEN 1
        ELSE 0
    END AS is_upgraded,
    coalesce(marks.is_cut_short, 0) AS is_cut_short,
    CASE
        WHEN stated.cancellation_date IS NULL OR terms.ownership = 'FAMILY_SHARED' THEN 0
        WHEN stated.is_trial_period <> 0 OR told_terms.price_milliunits = 0 THEN 0
        WHEN revoked.revocation_kind = 'withdrawal' THEN 0
        WHEN revoked.revocation_kind IS NOT NULL THEN 1
        WHEN told_terms.is_upgraded = 1 OR marks.is_upgraded = 1 THEN 0
        ELSE 1
    END AS is_refund,
    coalesce(marks.is_restored, 0) AS is_restored,
    CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family,
    stated.receipt_id AS receipt_number,
    stated.purchase_id AS purchase_number,
    terms.terms_id AS terms_number,
    told_terms.terms_id AS told_terms_number,
    stated.transaction_id AS transaction_number,
    coalesce(stated.original_transaction_id, stated.transaction_id) AS original_number,
    stated.is_in_intro_offer_period,
    stated.promotional_offer_id,
    revoked.revocation_reason,
    revoked.revocation_type,
    revoked.revocation_kind,
    revoked.revoked_share
FROM purchase AS stated
LEFT JOIN purchase_marks AS marks ON marks.purchase_number = stated.purchase_id
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN purchase_terms AS told_terms ON told_terms.terms_id = coalesce(terms.terms_id, marks.copied_terms_number)
LEFT JOIN latest_revocations AS revoked
    ON revoked.terms_id = told_terms.terms_id
    AND revoked.revocation_second = stated.cancellation_date / 1000;
