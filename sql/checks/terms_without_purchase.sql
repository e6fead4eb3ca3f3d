-- Terms without a purchase, or, for untrusted verdicts, without a claimed purchase of signed transactions; and signed
-- transactions without terms.
SELECT 'terms of transaction ' || transaction_id || ', ' || verdict AS offence
FROM purchase_terms AS terms
WHERE CASE verdict
    WHEN 'trusted' THEN NOT EXISTS (
        SELECT 1 FROM purchase
        WHERE purchase.app_id = terms.app_id AND purchase.transaction_id = terms.transaction_id)
    ELSE NOT EXISTS (
        SELECT 1 FROM claimed_purchase AS claim
        WHERE claim.app_id = terms.app_id AND claim.transaction_id = terms.transaction_id
            AND claim.verdict = terms.verdict AND claim.kind = 'signed_transaction')
END
UNION ALL
SELECT 'no terms of transaction ' || link.transaction_id || ' of receipt ' || receipt.receipt_id
FROM receipt
CROSS JOIN receipt_purchase AS link ON link.receipt_id = receipt.receipt_id
WHERE receipt.kind = 'signed_transaction'
    AND NOT EXISTS (
        SELECT 1 FROM purchase_terms AS terms
        WHERE terms.app_id = receipt.app_id AND terms.transaction_id = link.transaction_id
            AND terms.verdict = receipt.verdict)
