-- Lists in erased_letter the kept rejected lines that have a submission in erased_submission.

DROP TABLE IF EXISTS temp.erased_letter;
CREATE TEMP TABLE erased_letter (letter_id INTEGER PRIMARY KEY);
INSERT INTO temp.erased_letter
SELECT letter_id FROM dead_letter
WHERE letter_id IN (SELECT submission_id & 0xfffffffffffff FROM temp.erased_submission);
