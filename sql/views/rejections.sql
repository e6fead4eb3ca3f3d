-- One row per line that holds no readable receipt. A line that was corrected, or
-- could be read by a later run, is a submission and not in it.
--
-- Columns:
--   archive    –       –  name of the archive
--   line       –       –  line in it, from 1
--   reason     –       –  why not: one of the reasons of docs/data-model.md
--   detail     –       –  what is wrong, and where: characters of the line or bytes of the receipt
--   dismissed  0 or 1  –  1: marked by receiptmill dismiss as a line that can't be saved
CREATE VIEW rejections AS
SELECT
    archive.name AS archive,
    rejection.line,
    rejection.reason,
    rejection.detail,
    CASE WHEN rejection.status = 'dismissed' THEN 1 ELSE 0 END AS dismissed
FROM rejection
JOIN archive USING (archive_id)
WHERE rejection.status <> 'cleared';
