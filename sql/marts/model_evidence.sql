-- What the cases of fraud rest on: the kinds of signals that each account, device, installation and receipt shows. Trusted
-- documents of a sandbox make no case, since testers present them.
--
-- Grain: one row per subject and kind of signal
-- Key: subject_kind, subject, signal
--
-- Columns:
--   subject_kind   TEXT     –      account, device, installation or receipt
--   subject        TEXT     –      the account, the device, the lineage as in receipts, or the receipt's SHA-256
--   signal         TEXT     –      kind of signal
--   points         INTEGER  –      100 where it is of high severity on a line, else 10 where medium, else 1
--   lines          INTEGER  lines  lines that show it
--   role           TEXT     –      of an account or device: copier where it is one on any line, else holder where it is one;
--                                  null where nothing is shared
--   first_seen_ms  INTEGER  ms     the first submission that shows it; null where none states a time
--   last_seen_ms   INTEGER  ms     the last
--   found_by       INTEGER  –      the run that found the newest of its signals first; null where none has yet
WITH shown AS (
    SELECT
        account_id,
        device_id,
        receipt_id,
        signal,
        CASE severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
        CAST(archive_id AS VARCHAR(40)) || ':' || CAST(line AS VARCHAR(20)) AS place,
        submission_id,
        role,
        submitted_ms,
        found_by
    FROM model_signals
    WHERE is_tester = 0
)

SELECT
    'account' AS subject_kind,
    shown.account_id AS subject,
    shown.signal,
    max(shown.points) AS points,
    count(DISTINCT shown.place) AS lines,
    -- The words stand in this order.
    min(shown.role) AS role,
    min(shown.submitted_ms) AS first_seen_ms,
    max(shown.submitted_ms) AS last_seen_ms,
    max(shown.found_by) AS found_by
FROM shown
WHERE shown.account_id IS NOT NULL
GROUP BY shown.account_id, shown.signal
UNION ALL
SELECT
    'device',
    shown.device_id,
    shown.signal,
    max(shown.points),
    count(DISTINCT shown.place),
    min(shown.role),
    min(shown.submitted_ms),
    max(shown.submitted_ms),
    max(shown.found_by)
FROM shown
WHERE shown.device_id IS NOT NULL
GROUP BY shown.device_id, shown.signal
UNION ALL
SELECT
    'receipt',
    lower(hex(min(receipt.sha256))),
    shown.signal,
    max(shown.points),
    count(DISTINCT shown.place),
    NULL,
    min(shown.submitted_ms),
    max(shown.submitted_ms),
    max(shown.found_by)
FROM shown
JOIN receipt ON receipt.receipt_id = shown.receipt_id
GROUP BY shown.receipt_id, shown.signal
UNION ALL
SELECT
    'installation',
    lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash)),
    shown.signal,
    max(shown.points),
    count(DISTINCT shown.place),
    NULL,
    min(shown.submitted_ms),
    max(shown.submitted_ms),
    max(shown.found_by)
FROM shown
JOIN submission ON submission.submission_id = shown.submission_id
JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE receipt.verdict = 'trusted'
    AND receipt.opaque_value IS NOT NULL
    AND receipt.device_hash IS NOT NULL
GROUP BY receipt.device_hash, receipt.opaque_value, shown.signal
