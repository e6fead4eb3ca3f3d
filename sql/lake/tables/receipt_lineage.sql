SELECT
    opaque_value,
    device_hash,
    app_id,
    receipt_id
FROM receipt
WHERE opaque_value IS NOT NULL
    AND device_hash IS NOT NULL
