-- Kept lines of which no rejection is open, and kept lines beside a pseudonym key.
-- A line is kept because it was rejected, so it needs an open rejection; a database with a pseudonym key keeps none.
SELECT 'archive ' || dead_letter.archive_id || ', line ' || dead_letter.line AS offence
FROM dead_letter
WHERE NOT EXISTS (
        SELECT 1 FROM rejection
        WHERE rejection.archive_id = dead_letter.archive_id AND rejection.line = dead_letter.line
            AND rejection.status = 'open')
    OR EXISTS (SELECT 1 FROM pseudonym_key)
