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
-- Each kind is grouped by itself, so that who asks for one does not wait for the others.
WITH shown AS (
    SELECT
        'account' AS subject_kind,
        found.account_id AS subject,
        found.signal,
        max(found.points) AS points,
        count(DISTINCT found.archive_line) AS lines,
        -- The words stand in this order.
        min(found.role) AS role,
        min(found.observed_at) AS first_seen,
        max(found.observed_at) AS last_seen,
        max(found.found_by) AS found_by
    FROM case_signals AS found
    WHERE found.account_id IS NOT NULL
    GROUP BY found.account_id, found.signal
    UNION ALL
    SELECT
        'device' AS subject_kind,
        found.device_id AS subject,
        found.signal,
        max(found.points) AS points,
        count(DISTINCT found.archive_line) AS lines,
        min(found.role) AS role,
        min(found.observed_at) AS first_seen,
        max(found.observed_at) AS last_seen,
        max(found.found_by) AS found_by
    FROM case_signals AS found
    WHERE found.device_id IS NOT NULL
    GROUP BY found.device_id, found.signal
    UNION ALL
    SELECT
        'installation' AS subject_kind,
        lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash)) AS subject,
        found.signal,
        max(found.points) AS points,
        count(DISTINCT found.archive_line) AS lines,
        NULL AS role,
        min(found.observed_at) AS first_seen,
        max(found.observed_at) AS last_seen,
        max(found.found_by) AS found_by
    FROM case_signals AS found
    CROSS JOIN submission ON submission.submission_id = found.submission_number
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.opaque_value IS NOT NULL
        AND receipt.device_hash IS NOT NULL
    GROUP BY receipt.device_hash, receipt.opaque_value, found.signal
    UNION ALL
    SELECT
        'receipt' AS subject_kind,
        found.receipt_sha256 AS subject,
        found.signal,
        max(found.points) AS points,
        count(DISTINCT found.archive_line) AS lines,
        NULL AS role,
        min(found.observed_at) AS first_seen,
        max(found.observed_at) AS last_seen,
        max(found.found_by) AS found_by
    FROM case_signals AS found
    WHERE found.receipt_sha256 IS NOT NULL
    GROUP BY found.receipt_sha256, found.signal
)

SELECT shown.*
FROM shown
LEFT JOIN allowed_subject AS allowed
    ON allowed.subject_kind = shown.subject_kind
    AND allowed.subject = CASE
        WHEN shown.subject_kind = 'device' AND length(shown.subject) NOT IN (8, 22, 24)
            THEN lower(replace(replace(replace(shown.subject, '-', ''), ':', ''), '.', ''))
        ELSE shown.subject
    END
WHERE allowed.subject IS NULL;
