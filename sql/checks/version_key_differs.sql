-- Versions whose sort key is not the one that this program would write.
SELECT 'version ' || version AS offence
FROM version
WHERE CAST(version_key AS BLOB) IS NOT version_key_of(CAST(version AS BLOB))
