-- One row per line that holds no readable receipt.
CREATE VIEW rejections AS
SELECT
    archive.name AS archive,
    rejection.line,
    rejection.reason,
    rejection.detail
FROM rejection
JOIN archive USING (archive_id);
