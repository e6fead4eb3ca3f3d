-- The archives listed in temp.retracted, with a row for each path at which a run found one; the path is null if there
-- is none.
SELECT
    archive.name,
    lower(hex(archive.sha256)),
    archive.lines,
    iif(place.folder = '/', '', place.folder) || '/' || place.name
FROM temp.retracted
JOIN archive ON archive.archive_id = retracted.archive_id
LEFT JOIN archive_place AS place ON place.archive_id = archive.archive_id
ORDER BY archive.archive_id, place.folder, place.name
