-- Accounts that presented trusted documents which state transactions of the same original as those of ?1, a list of
-- purchases in JSON, or hold such a document. Members' shares are somebody else's, and a document on a device that it was
-- not made for says nothing of the customer.
--
-- Columns:
--   purchase_id  of the list
--   account_id   as lines write it
WITH asked AS (
    SELECT
        purchase.purchase_id, purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM json_each(?1) AS listed
    CROSS JOIN purchase ON purchase.purchase_id = listed.value
),

alike AS (
    SELECT asked.purchase_id, other.app_id, other.transaction_id
    FROM asked
    CROSS JOIN purchase AS other ON other.original_transaction_id = asked.original_id AND other.app_id = asked.app_id
    UNION
    SELECT asked.purchase_id, other.app_id, other.transaction_id
    FROM asked
    CROSS JOIN purchase AS other ON other.transaction_id = asked.original_id AND other.app_id = asked.app_id
),

stating AS (
    SELECT DISTINCT alike.purchase_id, document.receipt_id
    FROM alike
    CROSS JOIN receipt_purchase AS link ON link.transaction_id = alike.transaction_id
    CROSS JOIN receipt AS document ON document.receipt_id = link.receipt_id
    WHERE document.app_id = alike.app_id
        AND document.verdict = 'trusted'
        AND NOT EXISTS (
            SELECT 1
            FROM purchase_terms AS terms
            JOIN model_sharing AS sharing ON sharing.ownership = terms.ownership
            WHERE terms.transaction_id = alike.transaction_id
                AND terms.app_id = alike.app_id
                AND terms.verdict = 'trusted'
        )
),

presented AS (
    SELECT purchase_id, receipt_id FROM stating
    UNION
    SELECT stating.purchase_id, part.receipt_id
    FROM stating
    CROSS JOIN receipt_part AS part ON part.part_receipt_id = stating.receipt_id
)

SELECT DISTINCT presented.purchase_id, submission.account_id
FROM presented
CROSS JOIN submission ON submission.receipt_id = presented.receipt_id
WHERE submission.account_id IS NOT NULL
    AND submission.device_check <> 'mismatch'
ORDER BY 1, 2;
