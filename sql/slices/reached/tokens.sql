-- Values of appAccountToken in the transactions and renewals of a slice (all that is tied to newly loaded lines).
--
-- Key: token
SELECT lower(terms.app_account_token) AS token
FROM reached_purchases AS reached
CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
CROSS JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
WHERE terms.app_account_token IS NOT NULL
UNION ALL
SELECT lower(renewal.app_account_token)
FROM reached_receipts AS reached
CROSS JOIN renewal ON renewal.receipt_id = reached.receipt_id
WHERE renewal.app_account_token IS NOT NULL
