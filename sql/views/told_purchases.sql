-- The purchases of which signed transactions tell, of themselves or of the original or a copy: those that can have a
-- price of the store. A few can stand in it twice.
--
-- Columns:
--   purchase_number  –       –  the purchase's number in this database alone
--   is_copied        0 or 1  –  1: a signed transaction tells of the original or another copy
CREATE VIEW told_purchases AS
SELECT purchase.purchase_id AS purchase_number, 0 AS is_copied
FROM purchase_terms AS terms
CROSS JOIN purchase
    ON purchase.transaction_id = terms.transaction_id
    AND purchase.app_id = terms.app_id
WHERE terms.verdict = 'trusted'
UNION ALL
SELECT purchase_number, 1
FROM purchase_marks
WHERE copied_terms_number IS NOT NULL;
