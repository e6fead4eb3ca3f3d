-- What could not be read. There is one row for:
-- - each line without a readable receipt
-- - each unreadable receipt of a line, or inside another receipt
-- - each unreadable row of a report file of the store
--
-- A line that was corrected, or that a later run could read, is a submission and has no row here.
--
-- Columns:
--   archive     –       –  name of the archive, or of the report file, that has the line
--   line        –       –  number of the line in the archive or report file, from 1
--   reason      –       –  why the line, receipt or row could not be read: one of the reasons in docs/data-model.md
--   detail      –       –  what is wrong, and where: characters of the line or bytes of the receipt
--   dismissed   0 or 1  –  1: the line needs no correction; receiptmill dismiss marks such lines, too
--   document    number  –  number of the receipt within the line, from 1; null if the line has no second one
--   archive_id  –       –  the archive, as in archives; for a report file, the first 16 hexadecimal digits of its
--                          text's SHA-256
CREATE VIEW rejections AS
SELECT
    archive.name AS archive,
    rejection.line,
    rejection.reason,
    rejection.detail,
    CASE WHEN rejection.status = 'dismissed' THEN 1 ELSE 0 END AS dismissed,
    CASE
        WHEN rejection.document > 1 THEN rejection.document
        WHEN EXISTS (
            SELECT 1 FROM rejection AS other
            WHERE other.archive_id = rejection.archive_id
                AND other.line = rejection.line
                AND other.document > 1
        ) THEN rejection.document
        -- Documents of a line are numbered without gaps, so that a line with any later document has a second one.
        WHEN EXISTS (
            SELECT 1 FROM submission
            WHERE submission.submission_id = 4503599627370496 + (rejection.archive_id << 32) + rejection.line
        ) THEN rejection.document
    END AS document,
    lower(substr(hex(archive.sha256), 1, 16)) AS archive_id
FROM rejection
JOIN archive USING (archive_id)
WHERE rejection.status <> 'cleared'
UNION ALL
SELECT
    store_file.name,
    store_rejection.line,
    store_rejection.reason,
    store_rejection.detail,
    0,
    NULL,
    lower(substr(hex(store_file.sha256), 1, 16))
FROM store_rejection
JOIN store_file USING (file_id);
