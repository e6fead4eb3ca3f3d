-- One row per line that holds no readable receipt, and per receipt of a line, or
-- inside another, that can't be read. One that was corrected, or could be read by a
-- later run, is a submission and not in it. Also one row per row of a report file of
-- the store's that can't be read.
--
-- Columns:
--   archive     –       –  name of the archive, or of the report file
--   line        –       –  line in it, from 1
--   reason      –       –  why not: one of the reasons of docs/data-model.md
--   detail      –       –  what is wrong, and where: characters of the line or bytes of the receipt
--   dismissed   0 or 1  –  1: nobody has to correct it; receiptmill dismiss marks lines, too
--   document    number  –  which receipt of the line, from 1; null if no second is known in it
--   archive_id  –       –  the archive, as in archives; of a report file the first 16 digits of its text's SHA-256
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
        -- Documents are counted without gaps: where there are more, there is a second.
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
