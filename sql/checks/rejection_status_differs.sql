-- Rejections that are cleared and whose document is no submission, unless one of the
-- archive's was removed for its age; and those that are not cleared and whose
-- document is one. A notification may be one all the same: what stands inside it
-- can't be read.
SELECT archive.name || ':' || rejection.line
    || CASE WHEN rejection.document > 1 THEN '.' || rejection.document ELSE '' END || ': ' || status AS offence
FROM rejection
JOIN archive USING (archive_id)
LEFT JOIN submission ON submission_id = (rejection.document - 1 << 52) + (rejection.archive_id << 32) + rejection.line
LEFT JOIN receipt USING (receipt_id)
WHERE (status = 'cleared') <> (submission_id IS NOT NULL)
    AND (status <> 'cleared' OR pruned_lines = 0)
    AND (status = 'cleared' OR receipt.kind <> 'notification')
