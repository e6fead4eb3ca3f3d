-- Adds to erased_submission the submissions of documents that state the token ?1, or a transaction that documents of
-- the same verdict state with the token, and of notifications that contain such a document.

INSERT INTO temp.erased_submission
WITH
term AS (
    SELECT app_id, transaction_id, verdict FROM purchase_terms WHERE lower(app_account_token) = lower(?1)
),
document AS (
    SELECT receipt_id FROM renewal WHERE lower(app_account_token) = lower(?1)
    UNION
    SELECT link.receipt_id
    FROM term
    CROSS JOIN receipt_purchase AS link ON link.transaction_id = term.transaction_id
    CROSS JOIN receipt ON receipt.receipt_id = link.receipt_id
    WHERE receipt.app_id = term.app_id AND receipt.verdict = term.verdict
)
SELECT submission_id FROM submission WHERE receipt_id IN (SELECT receipt_id FROM document)
UNION
SELECT submission_id FROM submission JOIN receipt_part USING (receipt_id)
WHERE part_receipt_id IN (SELECT receipt_id FROM document);
