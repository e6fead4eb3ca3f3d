-- Adds to erased_submission the submissions of the archives listed in temp.retracted. The identifiers of second and
-- further documents of a line are higher than those of all first documents.

INSERT INTO temp.erased_submission
SELECT submission_id FROM temp.retracted CROSS JOIN submission
WHERE submission_id BETWEEN retracted.archive_id << 32 AND retracted.archive_id << 32 | 0xffffffff
UNION ALL
SELECT submission_id FROM submission
WHERE submission_id >= 1 << 52 AND submission_id >> 32 & 0xfffff IN (
    SELECT archive_id FROM temp.retracted);
