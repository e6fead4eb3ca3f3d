-- The places in named_subject of the subjects that occur neither in a line of the database nor in a case of fraud.
WITH known AS (
    SELECT 'account' AS kind, account_id AS subject FROM submission WHERE account_id IS NOT NULL
    UNION ALL
    SELECT 'device', device_id FROM submission WHERE device_id IS NOT NULL
    UNION ALL
    SELECT 'receipt', lower(hex(sha256)) FROM receipt
    UNION ALL
    SELECT 'installation', lower(hex(opaque_value)) || '-' || lower(hex(device_hash))
    FROM receipt
    WHERE opaque_value IS NOT NULL AND device_hash IS NOT NULL
)

SELECT place
FROM temp.named_subject AS named
WHERE NOT EXISTS (
        SELECT 1 FROM model_cases AS found WHERE found.subject_kind = named.kind AND found.subject = named.subject
    )
    AND (named.kind, named.subject) NOT IN (SELECT kind, subject FROM known)
ORDER BY place;
