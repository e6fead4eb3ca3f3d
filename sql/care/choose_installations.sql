-- Lists in erased_installation the installations whose receipts the submissions of erased_submission present.

DROP TABLE IF EXISTS temp.erased_installation;
CREATE TEMP TABLE erased_installation AS
SELECT DISTINCT
    lower(hex(opaque_value)) || '-' || lower(hex(device_hash)) AS lineage,
    opaque_value, device_hash
FROM temp.erased_submission
JOIN submission USING (submission_id)
JOIN receipt USING (receipt_id)
WHERE opaque_value IS NOT NULL AND device_hash IS NOT NULL;
