-- Terms of signed transactions that name a wrong document. The main document must be the newest signed transaction with
-- the same app, verdict and transaction; the document of a single term must be another one of these.
SELECT 'terms of transaction ' || terms.transaction_id || ' of receipt ' || coalesce(terms.receipt_id, 'null') AS offence
FROM purchase_terms AS terms
WHERE receipt_id IS NOT (
    SELECT newest.receipt_id
    FROM receipt_purchase AS link
    CROSS JOIN receipt AS newest ON newest.receipt_id = link.receipt_id
    WHERE link.transaction_id = terms.transaction_id AND newest.app_id = terms.app_id
        AND newest.verdict = terms.verdict AND newest.kind = 'signed_transaction'
    ORDER BY newest.receipt_creation_date DESC, newest.sha256 DESC
    LIMIT 1)
UNION ALL
SELECT 'terms of transaction ' || terms.transaction_id || ' of receipt ' || stated.receipt_id
FROM purchase_terms AS terms
CROSS JOIN receipt AS stated
    ON stated.receipt_id IN (
        terms.price_receipt_id, terms.storefront_receipt_id, terms.ownership_receipt_id, terms.offer_receipt_id,
        terms.reason_receipt_id, terms.subscription_group_receipt_id, terms.app_account_token_receipt_id,
        terms.app_transaction_receipt_id, terms.plan_receipt_id, terms.seats_receipt_id, terms.previous_receipt_id)
WHERE stated.receipt_id = terms.receipt_id
    OR stated.kind <> 'signed_transaction'
    OR stated.verdict <> terms.verdict
    OR stated.app_id <> terms.app_id
    OR NOT EXISTS (
        SELECT 1 FROM receipt_purchase AS link
        WHERE link.receipt_id = stated.receipt_id AND link.transaction_id = terms.transaction_id)
