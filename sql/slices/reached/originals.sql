-- Original transactions of a slice (all that is tied to newly loaded lines):
-- - those of its transactions and renewals, and those of its transactions at the last refresh
-- - those that continue one another
-- - those with the same app transaction or customer
--
-- Many renewals may name one subscription, and many transactions one app transaction. Each of these is looked up once,
-- because lookups for each renewal or transaction would make the cost quadratic.
--
-- Key: original_id, app_id
WITH renewed AS (
    SELECT DISTINCT renewal.original_transaction_id, renewal.environment
    FROM reached_receipts AS reached
    CROSS JOIN renewal ON renewal.receipt_id = reached.receipt_id
),

linked AS (
    SELECT DISTINCT terms.app_transaction_id, terms.app_id
    FROM reached_purchases AS reached
    CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
    CROSS JOIN purchase_terms AS terms ON terms.transaction_id = purchase.transaction_id AND terms.app_id = purchase.app_id
    WHERE terms.app_transaction_id IS NOT NULL
)

SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id, purchase.app_id
FROM reached_purchases AS reached
CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
UNION ALL
SELECT sale.original_id, sale.app_id
FROM reached_purchases AS reached
CROSS JOIN model_sales AS sale ON sale.purchase_id = reached.purchase_id
UNION ALL
SELECT sale.original_id, sale.app_id
FROM reached_purchases AS reached
CROSS JOIN model_copies AS copy ON copy.purchase_id = reached.purchase_id
CROSS JOIN model_sales AS sale ON sale.purchase_id = copy.sale_id
UNION ALL
SELECT purchase.original_transaction_id, purchase.app_id
FROM renewed
CROSS JOIN purchase ON purchase.original_transaction_id = renewed.original_transaction_id
CROSS JOIN app ON app.app_id = purchase.app_id
WHERE app.environment = renewed.environment
UNION ALL
SELECT renewed.original_transaction_id, purchase.app_id
FROM renewed
CROSS JOIN purchase ON purchase.transaction_id = renewed.original_transaction_id
UNION ALL
SELECT renewed.original_transaction_id, terms.app_id
FROM renewed
CROSS JOIN purchase_terms AS terms ON terms.previous_original_transaction_id = renewed.original_transaction_id
WHERE terms.previous_original_transaction_id IS NOT NULL
UNION ALL
SELECT renewal.original_transaction_id, receipt.app_id
FROM reached_receipts AS reached
CROSS JOIN receipt_part AS part ON part.receipt_id = reached.receipt_id
CROSS JOIN renewal ON renewal.receipt_id = part.part_receipt_id
CROSS JOIN receipt ON receipt.receipt_id = part.receipt_id
UNION ALL
SELECT terms.previous_original_transaction_id, terms.app_id
FROM reached_purchases AS reached
CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
CROSS JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
WHERE terms.previous_original_transaction_id IS NOT NULL
UNION ALL
SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id), purchase.app_id
FROM reached_originals AS reached
CROSS JOIN purchase_terms AS terms
    ON terms.previous_original_transaction_id = reached.original_id
    AND terms.app_id = reached.app_id
CROSS JOIN purchase ON purchase.transaction_id = terms.transaction_id AND purchase.app_id = terms.app_id
WHERE terms.previous_original_transaction_id IS NOT NULL
UNION ALL
SELECT coalesce(purchase.original_transaction_id, purchase.transaction_id), purchase.app_id
FROM linked
CROSS JOIN purchase_terms AS terms
    ON terms.app_transaction_id = linked.app_transaction_id
    AND terms.app_id = linked.app_id
CROSS JOIN purchase ON purchase.transaction_id = terms.transaction_id AND purchase.app_id = terms.app_id
WHERE terms.app_transaction_id IS NOT NULL
UNION ALL
SELECT original.original_id, original.app_id
FROM reached_customers AS reached
CROSS JOIN model_originals AS original ON original.customer_id = reached.customer_id
