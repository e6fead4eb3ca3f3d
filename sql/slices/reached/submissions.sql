-- Submissions of a slice (all that is tied to newly loaded lines): those of its documents, and all those of each
-- account or device that presented one of these.
--
-- Key: submission_id
SELECT submission.submission_id
FROM reached_receipts AS reached
CROSS JOIN submission ON submission.receipt_id = reached.receipt_id
UNION ALL
SELECT submission.submission_id
FROM reached_presenters AS reached
-- The index on this expression has no affinity. SQLite cannot look up a column with an affinity in it, so + removes the
-- affinity.
CROSS JOIN submission ON coalesce(submission.account_tag, submission.device_tag) = +reached.tag
