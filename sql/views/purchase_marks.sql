-- The purchases of which something is worked out that few others have: those canceled or cut short as another product
-- of the subscription began, originals and copies of which another counts, and copies that name no price.
--
-- Columns:
--   purchase_number      –                        –               the purchase's number in this database alone
--   is_upgraded          0 or 1                   –               1: canceled within a minute of the begin of another
--                                                                 product of the subscription
--   is_cut_short         0 or 1                   –               1: another product of the subscription began before it
--                                                                 expired
--   is_restored          0 or 1                   –               1: a copy or an original, of which another counts, as
--                                                                 in purchase_states
--   first_ms             milliseconds since 1970  attribute 1704  of a copy that alone states a cancellation, when the
--                                                                 first of its kind was bought
--   copied_terms_number  –                        –               where no signed transaction tells of it, the number of
--                                                                 what one tells of the original or another copy
CREATE VIEW purchase_marks AS
WITH family AS (
    SELECT app_id, transaction_id
    FROM purchase_terms
    WHERE verdict = 'trusted'
        AND ownership = 'FAMILY_SHARED'
),

-- Few subscriptions had several products: only their periods are compared.
mixed AS (
    SELECT original_transaction_id, app_id
    FROM purchase
    WHERE original_transaction_id IS NOT NULL
        -- Only periods are cut short, and by periods.
        AND expires_date IS NOT NULL
    GROUP BY original_transaction_id, app_id
    HAVING min(product_number) <> max(product_number)
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

-- Which of the original and its copies receipts state after a restore, chance says: all were paid for once.
signed AS (
    SELECT
        same.original_transaction_id,
        same.app_id,
        coalesce(same.expires_date, 0) AS expires_ms,
        CASE WHEN same.expires_date IS NULL THEN 0 ELSE same.purchase_date END AS start_ms,
        min(same.transaction_id) AS transaction_id
    FROM purchase_terms AS terms
    CROSS JOIN purchase AS same
        ON same.transaction_id = terms.transaction_id
        AND same.app_id = terms.app_id
    WHERE terms.verdict = 'trusted'
        AND coalesce(terms.ownership, 'PURCHASED') <> 'FAMILY_SHARED'
        AND same.original_transaction_id IS NOT NULL
    GROUP BY 1, 2, 3, 4
)

SELECT
    purchase_id AS purchase_number,
    max(is_upgraded) AS is_upgraded,
    max(is_cut_short) AS is_cut_short,
    max(is_restored) AS is_restored,
    min(first_ms) AS first_ms,
    min(copied_terms_number) AS copied_terms_number
FROM (
    SELECT canceled.purchase_id, 1 AS is_upgraded, 0 AS is_cut_short, 0 AS is_restored, CAST(NULL AS BIGINT) AS first_ms,
        NULL AS copied_terms_number
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
    SELECT cut.purchase_id, 0, 1, 0, NULL, NULL
    FROM mixed
    CROSS JOIN purchase AS cut
        ON cut.original_transaction_id = mixed.original_transaction_id
        AND cut.app_id = mixed.app_id
    CROSS JOIN purchase AS upgrade
        ON upgrade.original_transaction_id = cut.original_transaction_id
        AND upgrade.app_id = cut.app_id
        AND upgrade.product_number <> cut.product_number
        AND upgrade.expires_date > upgrade.purchase_date
        AND upgrade.purchase_date > cut.purchase_date
        AND upgrade.purchase_date < cut.expires_date
    UNION ALL
    SELECT purchase_id, 0, 0, 1, NULL, NULL
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
        0,
        CASE WHEN place > 1 AND NOT is_family AND coalesce(product_type, 0) <> 1 THEN 1 ELSE 0 END,
        CASE WHEN is_copy AND cancellation_date IS NOT NULL THEN first_ms END,
        NULL
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
    UNION ALL
    SELECT purchase.purchase_id, 0, 0, 0, NULL, told.terms_id
    FROM signed
    CROSS JOIN purchase
        ON purchase.original_transaction_id = signed.original_transaction_id
        AND purchase.app_id = signed.app_id
        AND coalesce(purchase.expires_date, 0) = signed.expires_ms
        AND CASE WHEN purchase.expires_date IS NULL THEN 0 ELSE purchase.purchase_date END = signed.start_ms
    JOIN purchase_terms AS told
        ON told.transaction_id = signed.transaction_id
        AND told.app_id = signed.app_id
    LEFT JOIN purchase_terms AS own
        ON own.transaction_id = purchase.transaction_id
        AND own.app_id = purchase.app_id
        AND own.verdict = 'trusted'
    WHERE told.verdict = 'trusted'
        AND own.terms_id IS NULL
        AND coalesce(purchase.product_type, -1) <> 1
) AS told
GROUP BY purchase_id;
