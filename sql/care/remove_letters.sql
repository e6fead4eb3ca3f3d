-- Deletes the kept rejected lines of erased_letter and drops that table. Their rejections are dismissed with the detail
-- ?1; the archives still contain the lines.

UPDATE rejection SET status = 'dismissed', detail = ?1
WHERE status = 'open' AND archive_id << 32 | line IN (SELECT letter_id FROM temp.erased_letter);
DELETE FROM dead_letter WHERE letter_id IN (SELECT letter_id FROM temp.erased_letter);
DROP TABLE temp.erased_letter;
