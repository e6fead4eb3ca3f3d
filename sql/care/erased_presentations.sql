-- The receipt, account and device of each presentation of erased_submission.
SELECT sha256, account_id, device_id
FROM submission
JOIN receipt USING (receipt_id)
WHERE submission_id IN (SELECT submission_id FROM temp.erased_submission)
