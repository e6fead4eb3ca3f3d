-- Users of a slice (all that is tied to newly loaded lines): those of its lines, in all apps. A line whose document was
-- made for another device has no user.
--
-- Key: user_id
SELECT numbered.user_id
FROM (
    SELECT DISTINCT coalesce(submission.account_id, submission.device_id) AS name, submission.account_id IS NULL AS is_device
    FROM reached_submissions AS reached
    CROSS JOIN submission ON submission.submission_id = reached.submission_id
    WHERE submission.device_check <> 'mismatch'
) AS named
CROSS JOIN model_user_numbers AS numbered ON numbered.name = named.name
WHERE numbered.is_device = named.is_device
