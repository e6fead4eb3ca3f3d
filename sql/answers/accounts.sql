-- The accounts that provably hold the original transactions of ?1, a JSON list of [purchase]. The proof is a trusted
-- document that states a transaction of the original, or that contains such a document. Either the account presented it
-- on the device that it was made for, or the account presented on its own device an app transaction that the original
-- states. A copy proves nothing, and neither does a family member's share.
--
-- Accounts are compared per document first, so that the cost grows with documents and lines, not with requests times
-- accounts.
--
-- Columns:
--   purchase_id  purchase of the list; purchases without a proved account have no row
--   account      the only account that is proved to hold it, as UTF-8 bytes; null if there are several
WITH asked AS (
    SELECT
        purchase.purchase_id, purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM json_each(?1) AS listed
    CROSS JOIN purchase ON purchase.purchase_id = listed.value ->> 0
),

originals AS (
    SELECT DISTINCT app_id, original_id FROM asked
),

alike AS (
    SELECT originals.app_id, originals.original_id, other.transaction_id
    FROM originals
    CROSS JOIN purchase AS other ON other.original_transaction_id = originals.original_id AND other.app_id = originals.app_id
    UNION
    SELECT originals.app_id, originals.original_id, other.transaction_id
    FROM originals
    CROSS JOIN purchase AS other ON other.transaction_id = originals.original_id AND other.app_id = originals.app_id
),

own AS (
    SELECT alike.app_id, alike.original_id, alike.transaction_id, terms.app_transaction_id
    FROM alike
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = alike.transaction_id
        AND terms.app_id = alike.app_id
        AND terms.verdict = 'trusted'
    LEFT JOIN internal_sharing AS sharing ON sharing.ownership = terms.ownership
    WHERE sharing.ownership IS NULL
),

linked AS (
    SELECT DISTINCT app_id, original_id, app_transaction_id FROM own WHERE app_transaction_id IS NOT NULL
),

stating AS (
    SELECT DISTINCT own.app_id, own.original_id, document.receipt_id
    FROM own
    CROSS JOIN receipt_purchase AS link ON link.transaction_id = own.transaction_id
    CROSS JOIN receipt AS document ON document.receipt_id = link.receipt_id
    WHERE document.app_id = own.app_id
        AND document.verdict = 'trusted'
),

presented AS (
    SELECT app_id, original_id, receipt_id FROM stating
    UNION
    SELECT stating.app_id, stating.original_id, part.receipt_id
    FROM stating
    CROSS JOIN receipt_part AS part ON part.part_receipt_id = stating.receipt_id
),

-- Accounts that presented an app transaction on the device that it was made for.
members AS (
    SELECT DISTINCT document.app_id, stated.app_transaction_id, submission.account_id
    FROM app_transaction AS stated
    CROSS JOIN receipt AS document ON document.receipt_id = stated.receipt_id
    CROSS JOIN submission ON submission.receipt_id = stated.receipt_id
    WHERE stated.app_transaction_id IN (SELECT app_transaction_id FROM linked)
        AND document.verdict = 'trusted'
        AND submission.device_check = 'match'
        AND submission.account_id IS NOT NULL
),

by_device AS (
    SELECT shown.receipt_id, min(submission.account_id) AS minimum_account, max(submission.account_id) AS maximum_account
    FROM (SELECT DISTINCT receipt_id FROM presented) AS shown
    CROSS JOIN submission ON submission.receipt_id = shown.receipt_id
    WHERE submission.device_check = 'match'
    GROUP BY shown.receipt_id
),

by_app_transaction AS (
    SELECT
        shown.app_id, shown.app_transaction_id, shown.receipt_id, min(submission.account_id) AS minimum_account,
        max(submission.account_id) AS maximum_account
    FROM (
        SELECT DISTINCT presented.app_id, presented.receipt_id, linked.app_transaction_id
        FROM presented
        JOIN linked ON linked.original_id = presented.original_id AND linked.app_id = presented.app_id
    ) AS shown
    CROSS JOIN submission ON submission.receipt_id = shown.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND (shown.app_id, shown.app_transaction_id, submission.account_id) IN (
            SELECT app_id, app_transaction_id, account_id FROM members
        )
    GROUP BY shown.app_id, shown.app_transaction_id, shown.receipt_id
),

proven AS (
    SELECT presented.app_id, presented.original_id, by_device.minimum_account, by_device.maximum_account
    FROM presented
    CROSS JOIN by_device ON by_device.receipt_id = presented.receipt_id
    UNION ALL
    SELECT presented.app_id, presented.original_id, shown.minimum_account, shown.maximum_account
    FROM presented
    JOIN linked ON linked.original_id = presented.original_id AND linked.app_id = presented.app_id
    JOIN by_app_transaction AS shown
        ON shown.receipt_id = presented.receipt_id
        AND shown.app_transaction_id = linked.app_transaction_id
        AND shown.app_id = presented.app_id
),

counted AS (
    SELECT app_id, original_id, min(minimum_account) AS minimum_account, max(maximum_account) AS maximum_account
    FROM proven
    GROUP BY app_id, original_id
)

SELECT
    asked.purchase_id,
    CASE WHEN counted.minimum_account = counted.maximum_account THEN CAST(counted.minimum_account AS BLOB) END AS account
FROM asked
JOIN counted ON counted.original_id = asked.original_id AND counted.app_id = asked.app_id
WHERE counted.minimum_account IS NOT NULL
ORDER BY asked.purchase_id;
