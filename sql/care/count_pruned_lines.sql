-- Adds to each archive's pruned_lines the lines of erased_submission that have no submission left, and drops that
-- table.

DROP TABLE IF EXISTS temp.erased_line;
CREATE TEMP TABLE erased_line AS
SELECT DISTINCT submission_id & 0xfffffffffffff AS line_id FROM temp.erased_submission;
DELETE FROM temp.erased_line
WHERE EXISTS (SELECT 1 FROM submission WHERE submission_id = line_id)
    OR line_id IN (SELECT submission_id & 0xfffffffffffff FROM submission WHERE submission_id >= 1 << 52);
UPDATE archive SET pruned_lines = pruned_lines + (
    SELECT count(*) FROM temp.erased_line WHERE line_id >> 32 = archive_id)
WHERE archive_id IN (SELECT line_id >> 32 FROM temp.erased_line);
DROP TABLE temp.erased_line;
DROP TABLE temp.erased_submission;
