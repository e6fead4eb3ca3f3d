-- Signals of fraud of the customers of ?1, a list of purchases in JSON: of documents that state a transaction of theirs,
-- without those that a decision settles. What shows a copier is no signal of whom the copy was taken from.
--
-- Columns:
--   purchase_id  of the list
--   signal, severity
--   lines        lines that show the signal
WITH asked AS (
    SELECT sale.purchase_id, sale.customer_id
    FROM json_each(?1) AS listed
    CROSS JOIN model_sales AS sale ON sale.purchase_id = listed.value
    WHERE sale.customer_id IS NOT NULL
),

stating AS (
    SELECT DISTINCT asked.purchase_id, document.receipt_id
    FROM model_sales AS sale
    CROSS JOIN asked ON asked.customer_id = sale.customer_id
    CROSS JOIN purchase ON purchase.purchase_id = sale.purchase_id
    CROSS JOIN receipt_purchase AS link ON link.transaction_id = purchase.transaction_id
    CROSS JOIN receipt AS document ON document.receipt_id = link.receipt_id
    WHERE document.app_id = purchase.app_id
)

SELECT stating.purchase_id, found.signal, found.severity, count(*) AS lines
FROM stating
CROSS JOIN fraud_signals AS found ON found.receipt_number = stating.receipt_id
WHERE found.is_settled = 0
    AND coalesce(found.role, '') <> 'copier'
GROUP BY 1, 2, 3
ORDER BY 1, CASE found.severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, 2;
