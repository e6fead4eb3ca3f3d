-- Fraud signals of the customers of ?1, a list as in money.sql; signals that a decision settles are left out. For an
-- account, these are the signals of its own lines with documents that it presented on the device that they were made
-- for. Without an account, they are the signals of lines without account and device, with documents that state a
-- transaction of the original. Lines of other accounts do not count against the holder, because those accounts may have
-- copied a document.
--
-- Columns:
--   purchase_id  purchase of the list, by the loader's number
--   signal, severity
--   lines        lines that show the signal
WITH asked AS (
    SELECT
        purchase.purchase_id, purchase.app_id, listed.value ->> 2 AS account_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM json_each(?1) AS listed
    CROSS JOIN purchase ON purchase.purchase_id = listed.value ->> 0
),

originals AS (
    SELECT DISTINCT app_id, original_id FROM asked WHERE account_id IS NULL
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

held AS (
    SELECT DISTINCT receipt.app_id, submission.account_id, receipt.receipt_id
    FROM submission
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE submission.account_id IN (SELECT account_id FROM asked)
        AND submission.device_check = 'match'
),

stating AS (
    SELECT DISTINCT alike.app_id, alike.original_id, receipt.receipt_id
    FROM alike
    CROSS JOIN receipt_purchase AS link ON link.transaction_id = alike.transaction_id
    CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id
    WHERE receipt.app_id = alike.app_id
),

-- Lines are counted per document and account before they are joined with customers.
shown AS (
    SELECT
        documents.receipt_id, found.account_id, coalesce(found.account_id, found.device_id) IS NULL AS is_nameless,
        found.signal, found.severity, count(*) AS lines
    FROM (SELECT receipt_id FROM held UNION SELECT receipt_id FROM stating) AS documents
    CROSS JOIN fraud_signals AS found ON found.receipt_number = documents.receipt_id
    WHERE found.is_settled = 0
        -- Anybody can present a copy, so signals of sharing show nothing about the customer.
        AND found.role IS NULL
    GROUP BY documents.receipt_id, found.account_id, is_nameless, found.signal, found.severity
),

of_accounts AS (
    SELECT held.app_id, held.account_id, shown.signal, shown.severity, sum(shown.lines) AS lines
    FROM held
    JOIN shown ON shown.receipt_id = held.receipt_id AND shown.account_id = held.account_id
    GROUP BY held.app_id, held.account_id, shown.signal, shown.severity
),

of_documents AS (
    SELECT receipt_id, signal, severity, sum(lines) AS lines
    FROM shown
    WHERE is_nameless
    GROUP BY receipt_id, signal, severity
),

of_originals AS (
    SELECT stating.app_id, stating.original_id, found.signal, found.severity, sum(found.lines) AS lines
    FROM stating
    JOIN of_documents AS found ON found.receipt_id = stating.receipt_id
    GROUP BY stating.app_id, stating.original_id, found.signal, found.severity
),

told AS (
    SELECT asked.purchase_id, found.signal, found.severity, found.lines
    FROM asked
    JOIN of_accounts AS found ON found.account_id = asked.account_id AND found.app_id = asked.app_id
    UNION ALL
    SELECT asked.purchase_id, found.signal, found.severity, found.lines
    FROM asked
    JOIN of_originals AS found ON found.original_id = asked.original_id AND found.app_id = asked.app_id
    WHERE asked.account_id IS NULL
)

SELECT purchase_id, signal, severity, lines
FROM told
ORDER BY 1, CASE severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, 2;
