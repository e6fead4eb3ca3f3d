SELECT DISTINCT
    receipt_sha256 AS receipt_id,
    part,
    part_sha256 AS part_receipt_id
FROM loaded_parts
