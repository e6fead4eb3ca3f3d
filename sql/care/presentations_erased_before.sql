-- Submissions of receipts that had an erased presentation, each with the digest of the erased presentation.
SELECT submission_id, erased.receipt_sha256, account_id, device_id, erased.presentation
FROM erased_presentation AS erased
CROSS JOIN receipt_digest AS known ON known.sha256 = erased.receipt_sha256
CROSS JOIN submission ON submission.receipt_id = known.receipt_id
