-- Deletes outdated purchases, claims and terms, and lists in restating_receipt the receipts from which they are merged
-- again:
-- - for a purchase or claim, the newest receipt, and transaction receipts, which count as of their purchase date
-- - for terms, every remaining signed transaction, because each may state a part

DROP TABLE IF EXISTS temp.restating_receipt;
CREATE TEMP TABLE restating_receipt (receipt_id INTEGER PRIMARY KEY);
INSERT INTO temp.restating_receipt
SELECT next_id FROM temp.outdated_purchase WHERE next_id IS NOT NULL
UNION
SELECT next_id FROM temp.outdated_claim WHERE next_id IS NOT NULL
UNION
SELECT other.receipt_id
FROM temp.outdated_purchase AS outdated
CROSS JOIN purchase AS stated ON stated.purchase_id = outdated.purchase_id
CROSS JOIN temp.remaining_statement AS other
    ON other.transaction_id = stated.transaction_id AND other.app_id = stated.app_id
WHERE other.verdict = 'trusted' AND other.kind = 'transaction_receipt'
UNION
SELECT other.receipt_id
FROM temp.outdated_claim AS outdated
CROSS JOIN claimed_purchase AS stated ON stated.purchase_id = outdated.purchase_id
CROSS JOIN temp.remaining_statement AS other
    ON other.transaction_id = stated.transaction_id AND other.app_id = stated.app_id
WHERE stated.kind = 'transaction_receipt' AND other.kind = stated.kind AND other.verdict = stated.verdict
UNION
SELECT other.receipt_id
FROM temp.outdated_terms AS outdated
CROSS JOIN purchase_terms AS stated ON stated.terms_id = outdated.terms_id
CROSS JOIN temp.remaining_statement AS other
    ON other.transaction_id = stated.transaction_id AND other.app_id = stated.app_id
WHERE other.verdict = stated.verdict AND other.kind = 'signed_transaction';
DELETE FROM purchase WHERE purchase_id IN (SELECT purchase_id FROM temp.outdated_purchase);
DELETE FROM claimed_purchase WHERE purchase_id IN (SELECT purchase_id FROM temp.outdated_claim);
DELETE FROM purchase_terms WHERE terms_id IN (SELECT terms_id FROM temp.outdated_terms);
