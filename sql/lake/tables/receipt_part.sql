SELECT DISTINCT
    receipt_key(receipt_sha256) AS receipt_id,
    part,
    receipt_key(part_sha256) AS part_receipt_id
FROM loaded_parts
