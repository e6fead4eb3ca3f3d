-- Kept lines whose rejection is not open, and kept lines beside a pseudonym key.
SELECT 'archive ' || dead_letter.archive_id || ', line ' || dead_letter.line AS offence
FROM dead_letter
LEFT JOIN rejection USING (archive_id, line, document)
WHERE status IS NOT 'open' OR EXISTS (SELECT 1 FROM pseudonym_key)
