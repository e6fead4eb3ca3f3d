-- Rejections whose status contradicts the submissions:
-- - cleared, but the document is no submission, unless submissions of the archive were deleted for their age
-- - not cleared, but the document is a submission; notifications are excepted, because a document inside one may be
--   unreadable
SELECT archive.name || ':' || rejection.line
    || CASE WHEN rejection.document > 1 THEN '.' || rejection.document ELSE '' END || ': ' || status AS offence
FROM rejection
JOIN archive USING (archive_id)
LEFT JOIN submission ON submission_id = (rejection.document - 1 << 52) + (rejection.archive_id << 32) + rejection.line
LEFT JOIN receipt USING (receipt_id)
WHERE (status = 'cleared') <> (submission_id IS NOT NULL)
    AND (status <> 'cleared' OR pruned_lines = 0)
    AND (status = 'cleared' OR receipt.kind <> 'notification')
