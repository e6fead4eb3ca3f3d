-- Transactions of a slice (all that is tied to newly loaded lines): those that its documents state, and all with one of
-- its original transactions or tokens.
--
-- Key: purchase_id
SELECT purchase.purchase_id
FROM reached_receipts AS reached
CROSS JOIN receipt ON receipt.receipt_id = reached.receipt_id
CROSS JOIN receipt_purchase AS stated ON stated.receipt_id = reached.receipt_id
CROSS JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = receipt.app_id
UNION ALL
SELECT purchase.purchase_id
FROM reached_originals AS reached
CROSS JOIN purchase
    ON purchase.original_transaction_id = reached.original_id
    AND purchase.app_id = reached.app_id
UNION ALL
SELECT purchase.purchase_id
FROM reached_originals AS reached
CROSS JOIN purchase
    ON purchase.transaction_id = reached.original_id
    AND purchase.app_id = reached.app_id
UNION ALL
SELECT purchase.purchase_id
FROM reached_tokens AS reached
CROSS JOIN purchase_terms AS terms ON lower(terms.app_account_token) = +reached.token
CROSS JOIN purchase ON purchase.transaction_id = terms.transaction_id AND purchase.app_id = terms.app_id
WHERE terms.app_account_token IS NOT NULL
