-- For each transaction of the Advanced Commerce API, the document whose items count: the newest that states any.
--
-- Grain: one row per transaction of which a trusted document states items
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id  INTEGER  –   the transaction, by the loader's number
--   receipt_id   INTEGER  –   the document whose items count, by the loader's number
--   signed_ms    INTEGER  ms  when the document was signed
WITH ranked AS (
    SELECT
        purchase.purchase_id, receipt.receipt_id, receipt.receipt_creation_date AS signed_ms,
        row_number() OVER (
            PARTITION BY purchase.purchase_id ORDER BY receipt.receipt_creation_date DESC, receipt.sha256 DESC
        ) AS place
    FROM (SELECT DISTINCT receipt_id FROM commerce_item) AS stated
    JOIN receipt ON receipt.receipt_id = stated.receipt_id
    JOIN receipt_purchase ON receipt_purchase.receipt_id = stated.receipt_id
    JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    WHERE coalesce(receipt.verdict, '') = 'trusted'
        AND coalesce(terms.is_shared, 0) = 0
)

SELECT purchase_id, receipt_id, signed_ms
FROM ranked
WHERE place = 1
