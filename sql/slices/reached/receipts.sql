-- Documents of a slice: what was presented, what is held in it and what holds it, and all that state one of its
-- transactions or renewals.
--
-- Key: receipt_id
SELECT submission.receipt_id
FROM reached_submissions AS reached
CROSS JOIN submission ON submission.submission_id = reached.submission_id
UNION ALL
SELECT part.part_receipt_id
FROM reached_receipts AS reached
CROSS JOIN receipt_part AS part ON part.receipt_id = reached.receipt_id
UNION ALL
SELECT part.receipt_id
FROM reached_receipts AS reached
CROSS JOIN receipt_part AS part ON part.part_receipt_id = reached.receipt_id
UNION ALL
SELECT stated.receipt_id
FROM reached_purchases AS reached
CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
CROSS JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
CROSS JOIN receipt ON receipt.receipt_id = stated.receipt_id
WHERE receipt.app_id = purchase.app_id
UNION ALL
SELECT renewal.receipt_id
FROM reached_originals AS reached
CROSS JOIN app ON app.app_id = reached.app_id
CROSS JOIN renewal
    ON renewal.original_transaction_id = reached.original_id
    AND renewal.environment = app.environment
