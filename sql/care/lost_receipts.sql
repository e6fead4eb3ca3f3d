-- The number of receipts in restating_receipt whose bytes are not stored, in a row for each archive that presents one
-- of them, directly or inside another document; no row if all are stored.
WITH lost AS (
    SELECT receipt_id FROM temp.restating_receipt
    WHERE receipt_id NOT IN (SELECT receipt_id FROM raw_receipt)
        AND receipt_id NOT IN (SELECT receipt_id FROM reviewable_receipt)
),

presented AS (
    SELECT receipt_id FROM lost
    UNION
    SELECT part.receipt_id
    FROM lost
    CROSS JOIN receipt_part AS part ON part.part_receipt_id = lost.receipt_id
)

SELECT counted.receipts, archive.name || ' (' || lower(substr(hex(archive.sha256), 1, 16)) || ')'
FROM (SELECT count(*) AS receipts FROM lost) AS counted
LEFT JOIN archive
    ON archive.archive_id IN (
        SELECT submission.archive_id FROM presented CROSS JOIN submission ON submission.receipt_id = presented.receipt_id)
WHERE counted.receipts > 0
ORDER BY archive.archive_id
