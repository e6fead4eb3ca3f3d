SELECT
    -- The whole hash, of which SQLite has only a prefix, in an index.
    device_hash AS hash_prefix,
    receipt_id
FROM receipt
WHERE opaque_value IS NOT NULL
    AND device_hash IS NOT NULL
