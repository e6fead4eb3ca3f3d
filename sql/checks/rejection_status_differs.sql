-- Rejections that are cleared and whose line is no submission, unless one of the
-- archive's was removed for its age; and those that are not cleared and whose
-- line is one.
SELECT archive.name || ':' || rejection.line || ': ' || status AS offence
FROM rejection
JOIN archive USING (archive_id)
LEFT JOIN submission ON submission_id = rejection.archive_id << 32 | rejection.line
WHERE (status = 'cleared') <> (submission_id IS NOT NULL)
    AND (status <> 'cleared' OR pruned_lines = 0)
