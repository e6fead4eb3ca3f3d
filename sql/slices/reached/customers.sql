-- Customers of a slice: who paid for its original transactions at the last refresh, and whom its transactions name by a
-- token.
--
-- Key: customer_id
SELECT original.customer_id
FROM reached_originals AS reached
CROSS JOIN model_originals AS original
    ON original.original_id = reached.original_id
    AND original.app_id = reached.app_id
UNION ALL
SELECT customer.customer_id
FROM reached_purchases AS reached
CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
CROSS JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
CROSS JOIN model_customer_numbers AS customer
    ON customer.name = terms.app_account_token
    AND customer.app_id = terms.app_id
WHERE customer.customer_kind = 'token'
