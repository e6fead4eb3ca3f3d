-- One row per case and kind of signal: what fraud_cases adds up. Trusted receipts of the sandbox make no case, since
-- testers present them; neither do subjects that a pipeline file allows.
--
-- Columns:
--   subject_kind  –      –     account, device, installation or receipt
--   subject       –      –     the account, the device, the lineage as in receipts, or the receipt's SHA-256
--   signal        –      –     kind of signal
--   points        –      –     100 where it is of high severity on a line, else 10 where medium, else 1
--   lines         lines  –     lines that show it
--   role          –      –     of an account or device, as in fraud_signals: copier where it is one on any line, else
--                              holder where it is one; null where nothing is shared
--   first_seen    time   line  the first submission that shows it; null where none states a time
--   last_seen     time   line  the last
--   found_by      –      –     the run that found the newest of its signals first
CREATE VIEW case_evidence AS
WITH kind(subject_kind) AS (
    SELECT 'account' UNION ALL SELECT 'device' UNION ALL SELECT 'installation' UNION ALL SELECT 'receipt'
),

shown AS (
    SELECT
        kind.subject_kind,
        CASE kind.subject_kind
            WHEN 'account' THEN found.account_id
            WHEN 'device' THEN found.device_id
            WHEN 'receipt' THEN found.receipt_sha256
            ELSE CASE
                WHEN receipt.verdict = 'trusted' AND receipt.opaque_value IS NOT NULL AND receipt.device_hash IS NOT NULL
                    THEN lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash))
            END
        END AS subject,
        found.signal,
        CASE found.severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
        found.archive || ' ' || CAST(found.line AS VARCHAR(20)) AS place,
        CASE WHEN kind.subject_kind IN ('account', 'device') THEN found.role END AS role,
        found.observed_at,
        sighting.run_id
    FROM fraud_signals AS found
    CROSS JOIN submission ON submission.submission_id = found.submission_number
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    LEFT JOIN signal_sighting AS sighting
        ON sighting.submission_id = found.submission_number
        AND sighting.signal = found.signal
        AND sighting.transaction_id = coalesce(found.transaction_id, '')
    CROSS JOIN kind
    WHERE coalesce(found.environment, '') NOT LIKE '%Sandbox'
)

SELECT
    shown.subject_kind,
    shown.subject,
    shown.signal,
    max(shown.points) AS points,
    count(DISTINCT shown.place) AS lines,
    -- The words stand in this order.
    min(shown.role) AS role,
    min(shown.observed_at) AS first_seen,
    max(shown.observed_at) AS last_seen,
    max(shown.run_id) AS found_by
FROM shown
LEFT JOIN allowed_subject AS allowed
    ON allowed.subject_kind = shown.subject_kind
    AND allowed.subject = CASE
        WHEN shown.subject_kind = 'device' AND length(shown.subject) NOT IN (8, 22, 24)
            THEN lower(replace(replace(replace(shown.subject, '-', ''), ':', ''), '.', ''))
        ELSE shown.subject
    END
WHERE shown.subject IS NOT NULL
    AND allowed.subject IS NULL
GROUP BY shown.subject_kind, shown.subject, shown.signal;
