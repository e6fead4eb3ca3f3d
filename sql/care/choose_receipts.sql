-- Lists in erased_receipt the receipts that only submissions of erased_submission present, directly or inside another
-- receipt.

DROP TABLE IF EXISTS temp.erased_receipt;
CREATE TEMP TABLE erased_receipt (receipt_id INTEGER PRIMARY KEY);
INSERT INTO temp.erased_receipt
SELECT receipt_id
FROM receipt
WHERE receipt_id IN (
        SELECT receipt_id FROM submission
        WHERE submission_id IN (SELECT submission_id FROM temp.erased_submission)
        UNION
        SELECT part_receipt_id FROM submission JOIN receipt_part USING (receipt_id)
        WHERE submission_id IN (SELECT submission_id FROM temp.erased_submission))
    AND NOT EXISTS (
        SELECT 1 FROM submission
        WHERE submission.receipt_id = receipt.receipt_id
            AND submission_id NOT IN (SELECT submission_id FROM temp.erased_submission))
    AND NOT EXISTS (
        SELECT 1 FROM receipt_part JOIN submission USING (receipt_id)
        WHERE part_receipt_id = receipt.receipt_id
            AND submission_id NOT IN (SELECT submission_id FROM temp.erased_submission));
