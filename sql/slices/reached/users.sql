-- Users of a slice: those of its lines, in all apps. As presenters, who shows a document of another device is none.
--
-- Key: user_id
SELECT numbered.user_id
FROM reached_submissions AS reached
CROSS JOIN submission ON submission.submission_id = reached.submission_id
CROSS JOIN model_user_numbers AS numbered
    ON numbered.name = coalesce(submission.account_id, submission.device_id)
WHERE numbered.is_device = (submission.account_id IS NULL)
    AND submission.device_check <> 'mismatch'
