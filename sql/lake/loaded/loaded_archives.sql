-- Archives that count. A row of stored_archives is what commits an archive; one
-- that has grown is replaced by what it has become.
SELECT *
FROM stored_archives
WHERE NOT EXISTS (SELECT 1 FROM stored_archives AS grown WHERE grown.replaces = stored_archives.sha256)
