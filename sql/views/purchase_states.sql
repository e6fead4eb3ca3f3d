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
--   is_upgraded              0 or 1                   –               1: canceled because another product of the
--                                                                     subscription began within a minute
--   is_restored              0 or 1                   –               1: a copy or an original, of which another counts
--   is_family                0 or 1                   –               1: a family member's share
--   receipt_number           –                        –               the number of the receipt that states this state, in
--                                                                     this database alone
--   purchase_number          –                        –               the purchase's number in this database alone
--   terms_number             –                        –               that of what signed transactions alone tell of it
CREATE VIEW purchase_states AS
WITH family AS (
    SELECT app_id, transaction_id
    FROM purchase_terms
    WHERE verdict = 'trusted'
        AND ownership = 'FAMILY_SHARED'
),

-- Few are copied: only those are put in order.
copied AS (
    SELECT original_transaction_id, app_id, purchase_date, expires_date
    FROM purchase
    WHERE original_transaction_id IS NOT NULL
        AND purchase_date IS NOT NULL
        AND expires_date IS NOT NULL
    GROUP BY original_transaction_id, app_id, purchase_date, expires_date
    HAVING count(*) > 1
),

marked AS (
    SELECT
        purchase_id,
        max(is_upgraded) AS is_upgraded,
        max(is_restored) AS is_restored,
        min(first_ms) AS first_ms
    FROM (
        SELECT canceled.purchase_id, 1 AS is_upgraded, 0 AS is_restored, CAST(NULL AS BIGINT) AS first_ms
        FROM purchase AS canceled
        WHERE canceled.cancellation_date IS NOT NULL
            AND EXISTS (
                SELECT 1 FROM purchase AS upgrade
                WHERE upgrade.original_transaction_id
                        = coalesce(canceled.original_transaction_id, canceled.transaction_id)
                    AND upgrade.app_id = canceled.app_id
                    AND upgrade.product_number <> canceled.product_number
                    AND upgrade.purchase_date BETWEEN canceled.cancellation_date - 60000
                        AND canceled.cancellation_date + 60000
            )
        UNION ALL
        SELECT purchase_id, 0, 1, NULL
        FROM (
            SELECT
                same.purchase_id,
                row_number() OVER (
                    PARTITION BY same.original_transaction_id, same.app_id, same.purchase_date, same.expires_date
                    ORDER BY
                        same.cancellation_date IS NULL,
                        same.transaction_id <> same.original_transaction_id,
                        same.transaction_id
                ) AS place
            FROM copied
            CROSS JOIN purchase AS same
                ON same.original_transaction_id = copied.original_transaction_id
                AND same.app_id = copied.app_id
                AND same.purchase_date = copied.purchase_date
                AND same.expires_date = copied.expires_date
            LEFT JOIN family
                ON family.transaction_id = same.transaction_id
                AND family.app_id = same.app_id
            WHERE family.transaction_id IS NULL
        ) AS periods
        WHERE place > 1
        UNION ALL
        SELECT
            purchase_id,
            0,
            CASE WHEN place > 1 AND NOT is_family AND coalesce(product_type, 0) <> 1 THEN 1 ELSE 0 END,
            CASE WHEN is_copy AND cancellation_date IS NOT NULL THEN first_ms END
        FROM (
            SELECT
                same.purchase_id,
                same.product_type,
                same.cancellation_date,
                same.transaction_id <> same.original_transaction_id AS is_copy,
                family.transaction_id IS NOT NULL AS is_family,
                row_number() OVER (
                    PARTITION BY
                        same.original_transaction_id, same.app_id, family.transaction_id IS NULL
                    ORDER BY
                        same.cancellation_date IS NULL,
                        same.transaction_id <> same.original_transaction_id,
                        same.transaction_id
                ) AS place,
                min(same.purchase_date) OVER (PARTITION BY same.original_transaction_id, same.app_id) AS first_ms
            FROM (
                SELECT DISTINCT original_transaction_id, app_id
                FROM purchase
                WHERE expires_date IS NULL
                    AND transaction_id <> original_transaction_id
            ) AS bought
            CROSS JOIN purchase AS same
                ON same.original_transaction_id = bought.original_transaction_id
                AND same.app_id = bought.app_id
                AND same.expires_date IS NULL
            LEFT JOIN family
                ON family.transaction_id = same.transaction_id
                AND family.app_id = same.app_id
        ) AS purchases
    ) AS told
    GROUP BY purchase_id
)

SELECT
    stated.app_id AS app_number,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(stated.original_transaction_id, stated.transaction_id) AS TEXT) AS original_transaction_id,
    stated.product_number,
    stated.product_type,
    coalesce(stated.quantity, 1) AS quantity,
    coalesce(marked.first_ms, stated.purchase_date) AS sold_ms,
    stated.cancellation_date AS cancellation_ms,
    stated.expires_date AS expiry_ms,
    CASE WHEN coalesce(stated.is_trial_period, 0) = 0 THEN 0 ELSE 1 END AS is_trial_period,
    coalesce(marked.is_upgraded, 0) AS is_upgraded,
    coalesce(marked.is_restored, 0) AS is_restored,
    CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family,
    stated.receipt_id AS receipt_number,
    stated.purchase_id AS purchase_number,
    terms.terms_id AS terms_number
FROM purchase AS stated
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN marked ON marked.purchase_id = stated.purchase_id;
