SELECT
    substr(hex(device_hash), 1, 12) AS hash_prefix,
    receipt_id
FROM receipt
WHERE opaque_value IS NOT NULL
    AND device_hash IS NOT NULL
