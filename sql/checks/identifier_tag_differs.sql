-- Submissions whose device tag or account tag is not the one that the loader would write.
SELECT 'archive ' || archive_id || ', line ' || line AS offence
FROM submission
WHERE device_tag IS NOT device_tag_of(CAST(device_id AS BLOB))
    OR account_tag IS NOT account_tag_of(CAST(account_id AS BLOB))
