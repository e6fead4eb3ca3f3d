-- Accounts and devices of a slice (all that is tied to newly loaded lines), by their tags.
--
-- Key: tag
SELECT coalesce(submission.account_tag, submission.device_tag) AS tag
FROM reached_submissions AS reached
CROSS JOIN submission ON submission.submission_id = reached.submission_id
WHERE coalesce(submission.account_tag, submission.device_tag) IS NOT NULL
    AND submission.device_check <> 'mismatch'
