-- One row per line that holds no readable receipt, and that no line of a mended
-- rejects file has been loaded in place of.
--
-- Columns:
--   archive  –  –  name of the archive
--   line     –  –  line in it, from 1
--   reason   –  –  why not: one of the reasons of docs/data-model.md
--   detail   –  –  what is wrong, and where: characters of the line or bytes of the receipt
CREATE VIEW rejections AS
SELECT
    archive.name AS archive,
    rejection.line,
    rejection.reason,
    rejection.detail
FROM rejection
JOIN archive USING (archive_id)
WHERE rejection.cleared_by IS NULL;
