-- Adds to erased_submission the submissions of the document ?1, and of the notifications that contain it.

INSERT OR IGNORE INTO temp.erased_submission
SELECT submission_id FROM submission WHERE receipt_id = ?1
UNION
SELECT submission_id FROM receipt_part JOIN submission USING (receipt_id) WHERE part_receipt_id = ?1
