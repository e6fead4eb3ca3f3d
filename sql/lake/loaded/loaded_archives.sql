-- Archives that count. An archive counts once it has a row in stored_archives; an archive that has grown is replaced by
-- its longer version.
SELECT *
FROM stored_archives
WHERE NOT EXISTS (SELECT 1 FROM stored_archives AS grown WHERE grown.replaces = stored_archives.sha256)
