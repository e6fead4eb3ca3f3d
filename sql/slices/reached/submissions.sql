-- Submissions of a slice: of its documents, and all of who presented one of them.
--
-- Key: submission_id
SELECT submission.submission_id
FROM reached_receipts AS reached
CROSS JOIN submission ON submission.receipt_id = reached.receipt_id
UNION ALL
SELECT submission.submission_id
FROM reached_presenters AS reached
-- The index of an expression has no affinity, and a column with one could not be looked up in it.
CROSS JOIN submission ON coalesce(submission.account_tag, submission.device_tag) = +reached.tag
