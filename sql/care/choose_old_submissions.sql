-- Adds to erased_submission the submissions older than the time ?1, in milliseconds since 1970, except the first and
-- the last of the submissions with the same receipt, device, account and device check. If a line states no readable
-- time, the time when its archive was first loaded counts.

INSERT INTO temp.erased_submission (submission_id)
SELECT submission_id
FROM (
    SELECT
        submission_id,
        coalesce(submitted_at, first_loaded_at) AS aged_at,
        row_number() OVER (alike ORDER BY submitted_at, submission_id) AS position,
        count(*) OVER alike AS positions
    FROM submission
    JOIN archive ON archive.archive_id = submission.archive_id
    WINDOW alike AS (
        PARTITION BY receipt_id, device_id, account_id, device_check, submitted_at IS NULL)
)
WHERE aged_at < ? AND position > 1 AND position < positions;
