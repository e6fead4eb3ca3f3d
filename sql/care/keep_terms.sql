-- Sets the newest remaining signed transaction as the source of terms whose source is erased, and deletes terms that no
-- remaining document states.

UPDATE purchase_terms AS stated SET receipt_id = (
    SELECT other.receipt_id
    FROM temp.remaining_statement AS other
    WHERE other.transaction_id = stated.transaction_id AND other.app_id = stated.app_id
        AND other.verdict = stated.verdict AND other.kind = 'signed_transaction'
    ORDER BY other.receipt_creation_date DESC, other.sha256 DESC
    LIMIT 1)
WHERE terms_id IN (SELECT terms_id FROM temp.outdated_terms)
    AND receipt_id IN (SELECT receipt_id FROM temp.erased_receipt);
DELETE FROM purchase_terms
WHERE terms_id IN (SELECT terms_id FROM temp.outdated_terms) AND receipt_id IS NULL;
