-- The archives that contain lines of erased_submission or erased_letter, with the number of these lines. A line with
-- both submissions and rejections counts once.
SELECT name, lower(hex(sha256)), count(*)
FROM (
    SELECT submission_id & 0xfffffffffffff AS line_id FROM temp.erased_submission
    UNION
    SELECT letter_id FROM temp.erased_letter
)
JOIN archive ON archive_id = line_id >> 32
GROUP BY archive_id
ORDER BY archive_id
