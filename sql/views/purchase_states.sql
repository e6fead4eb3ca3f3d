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
--   is_restored              0 or 1                   –               1: a copy or an original, of which another counts
--   is_family                0 or 1                   –               1: a family member's share
--   receipt_number           –                        –               the number of the receipt that states this state, in
--                                                                     this database alone
--   purchase_number          –                        –               the purchase's number in this database alone
--   terms_number             –                        –               that of what signed transactions alone tell of it
--   told_terms_number        –                        –               the same; where none tells of it, that of the
--                                                                     original or copy of which one does
CREATE VIEW purchase_states AS
SELECT
    stated.app_id AS app_number,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(stated.original_transaction_id, stated.transaction_id) AS TEXT) AS original_transaction_id,
    stated.product_number,
    stated.product_type,
    coalesce(stated.quantity, 1) AS quantity,
    CASE
        WHEN stated.cancellation_date IS NOT NULL
            AND stated.expires_date IS NULL
            AND stated.transaction_id <> stated.original_transaction_id
            THEN (
                SELECT min(sold.purchase_date) FROM purchase AS sold
                WHERE sold.app_id = stated.app_id
                    AND sold.original_transaction_id = stated.original_transaction_id
                    AND sold.expires_date IS NULL
            )
        ELSE stated.purchase_date
    END AS sold_ms,
    stated.cancellation_date AS cancellation_ms,
    stated.expires_date AS expiry_ms,
    CASE WHEN coalesce(stated.is_trial_period, 0) = 0 THEN 0 ELSE 1 END AS is_trial_period,
    CASE
        WHEN stated.cancellation_date IS NULL THEN 0
        WHEN revoked.revocation_type IS NOT NULL OR revoked.revocation_reason IS NOT NULL THEN 0
        WHEN told_terms.is_upgraded = 1 THEN 1
        WHEN EXISTS (
            SELECT 1 FROM purchase AS upgrade
            WHERE upgrade.app_id = stated.app_id
                AND upgrade.original_transaction_id = coalesce(stated.original_transaction_id, stated.transaction_id)
                AND upgrade.product_number <> stated.product_number
                AND upgrade.purchase_date BETWEEN stated.cancellation_date - 60000 AND stated.cancellation_date + 60000
        ) THEN 1
        ELSE 0
    END AS is_upgraded,
    CASE
        WHEN stated.ownership = 'FAMILY_SHARED' THEN 0
        WHEN EXISTS (
            SELECT 1 FROM purchase AS same
            WHERE same.app_id = stated.app_id
                AND same.original_transaction_id = stated.original_transaction_id
                AND same.purchase_date = stated.purchase_date
                AND same.expires_date = stated.expires_date
                AND same.transaction_id <> stated.transaction_id
                AND NOT EXISTS (
                    SELECT 1 FROM purchase_terms AS shared
                    WHERE shared.transaction_id = same.transaction_id
                        AND shared.app_id = same.app_id
                        AND shared.verdict = 'trusted'
                        AND shared.ownership = 'FAMILY_SHARED'
                )
                AND (
                    same.cancellation_date IS NULL,
                    same.transaction_id <> same.original_transaction_id,
                    same.transaction_id
                ) < (
                    stated.cancellation_date IS NULL,
                    stated.transaction_id <> stated.original_transaction_id,
                    stated.transaction_id
                )
        ) THEN 1
        WHEN stated.expires_date IS NULL AND coalesce(stated.product_type, 0) <> 1 AND EXISTS (
            SELECT 1 FROM purchase AS same
            WHERE same.app_id = stated.app_id
                AND same.original_transaction_id = stated.original_transaction_id
                AND same.expires_date IS NULL
                AND same.transaction_id <> stated.transaction_id
                AND NOT EXISTS (
                    SELECT 1 FROM purchase_terms AS shared
                    WHERE shared.transaction_id = same.transaction_id
                        AND shared.app_id = same.app_id
                        AND shared.verdict = 'trusted'
                        AND shared.ownership = 'FAMILY_SHARED'
                )
                AND (
                    same.cancellation_date IS NULL,
                    same.transaction_id <> same.original_transaction_id,
                    same.transaction_id
                ) < (
                    stated.cancellation_date IS NULL,
                    stated.transaction_id <> stated.original_transaction_id,
                    stated.transaction_id
                )
        ) THEN 1
        ELSE 0
    END AS is_restored,
    CASE WHEN stated.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family,
    stated.receipt_id AS receipt_number,
    stated.purchase_id AS purchase_number,
    stated.terms_id AS terms_number,
    told_terms.terms_id AS told_terms_number
FROM (
    SELECT
        purchase.*,
        terms.terms_id,
        terms.ownership,
        -- Which of the original and its copies receipts state after a restore, chance says: all were paid for once.
        CASE
            WHEN terms.terms_id IS NOT NULL THEN purchase.transaction_id
            WHEN purchase.product_type = 1 THEN NULL
            ELSE (
                SELECT min(same.transaction_id)
                FROM purchase AS same
                JOIN purchase_terms AS same_terms
                    ON same_terms.transaction_id = same.transaction_id
                    AND same_terms.app_id = same.app_id
                WHERE same.app_id = purchase.app_id
                    AND same.original_transaction_id = purchase.original_transaction_id
                    AND coalesce(same.expires_date, 0) = coalesce(purchase.expires_date, 0)
                    AND CASE WHEN same.expires_date IS NULL THEN 0 ELSE same.purchase_date END
                        = CASE WHEN purchase.expires_date IS NULL THEN 0 ELSE purchase.purchase_date END
                    AND same_terms.verdict = 'trusted'
                    AND coalesce(same_terms.ownership, 'PURCHASED') <> 'FAMILY_SHARED'
            )
        END AS told_transaction_id
    FROM purchase
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
) AS stated
LEFT JOIN purchase_terms AS told_terms
    ON told_terms.transaction_id = stated.told_transaction_id
    AND told_terms.app_id = stated.app_id
    AND told_terms.verdict = 'trusted'
LEFT JOIN latest_revocations AS revoked
    ON revoked.terms_id = told_terms.terms_id
    AND revoked.revocation_second = stated.cancellation_date / 1000;
