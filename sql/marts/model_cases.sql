-- Cases of fraud: accounts, devices, installations and receipts with evidence, with a score. Each kind of signal counts
-- once, at its highest severity. Trusted documents of a sandbox make no case, since testers present them. The view
-- fraud_cases adds decisions, and leaves out subjects that a pipeline file allows.
--
-- Grain: one row per subject
-- Key: subject_kind, subject
-- Reference: receipt_id = receipt(receipt_id)
--
-- Columns:
--   subject_kind   TEXT!     –      account, device, installation or receipt
--   subject        TEXT!     –      the account, the device, the installation's lineage (as in the view receipts), or
--                                   the receipt's SHA-256
--   receipt_id     INTEGER   –      one of the subject's documents, by the loader's number
--   score          INTEGER!  –      100 for each kind of signal at high severity, 10 at medium, 1 at low
--   points         INTEGER!  –      points of the gravest kind of signal: 100, 10 or 1
--   signals        INTEGER!  –      number of kinds of signals
--   lines          INTEGER!  lines  lines of archives that show a signal; a line counts once for each kind of signal
--   why            TEXT!     –      the three gravest kinds of signals, with their numbers of lines, and how many more
--                                   kinds there are
--   role           TEXT      –      role of an account or device: copier if it is one on any line, else holder if it is
--                                   one on any, else unknown; null if nothing is shared
--   first_seen_ms  INTEGER   ms     time of the first submission that shows a signal; null if none states a time
--   last_seen_ms   INTEGER   ms     time of the last submission that shows a signal; null if none states a time
--   found_by       INTEGER   –      number of the run that first found the newest signal; null if no run has found it
--                                   yet
WITH shown AS (
    SELECT
        account_id,
        device_id,
        receipt_id,
        signal,
        CASE severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
        CAST(archive_id AS VARCHAR(40)) || ':' || CAST(line AS VARCHAR(20)) AS place,
        role,
        submitted_ms,
        found_by
    FROM model_signals
    WHERE is_tester = 0
),

evidence AS (
    SELECT
        'account' AS subject_kind,
        account_id AS subject,
        signal,
        min(receipt_id) AS receipt_id,
        max(points) AS points,
        count(DISTINCT place) AS lines,
        -- The roles sort as copier, holder, unknown, so that the minimum is the gravest.
        min(role) AS role,
        min(submitted_ms) AS first_seen_ms,
        max(submitted_ms) AS last_seen_ms,
        max(found_by) AS found_by
    FROM shown
    WHERE account_id IS NOT NULL
    GROUP BY account_id, signal
    UNION ALL
    SELECT
        'device', device_id, signal, min(receipt_id), max(points), count(DISTINCT place), min(role), min(submitted_ms),
        max(submitted_ms), max(found_by)
    FROM shown
    WHERE device_id IS NOT NULL
    GROUP BY device_id, signal
    UNION ALL
    SELECT
        'receipt', lower(hex(min(receipt.sha256))), shown.signal, shown.receipt_id, max(shown.points),
        count(DISTINCT shown.place), NULL, min(shown.submitted_ms), max(shown.submitted_ms), max(shown.found_by)
    FROM shown
    JOIN receipt ON receipt.receipt_id = shown.receipt_id
    GROUP BY shown.receipt_id, shown.signal
    UNION ALL
    SELECT
        'installation', lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash)), shown.signal,
        min(receipt.receipt_id), max(shown.points), count(DISTINCT shown.place), NULL, min(shown.submitted_ms),
        max(shown.submitted_ms), max(shown.found_by)
    FROM shown
    JOIN receipt ON receipt.receipt_id = shown.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.opaque_value IS NOT NULL
        AND receipt.device_hash IS NOT NULL
    GROUP BY receipt.device_hash, receipt.opaque_value, shown.signal
),

weighed AS (
    SELECT
        evidence.*,
        signal || CASE lines WHEN 1 THEN '' ELSE ' (' || CAST(lines AS VARCHAR(20)) || ' lines)' END AS told,
        row_number() OVER (PARTITION BY subject_kind, subject ORDER BY points DESC, lines DESC, signal) AS place
    FROM evidence
)

SELECT
    subject_kind,
    subject,
    min(receipt_id) AS receipt_id,
    sum(points) AS score,
    max(points) AS points,
    count(*) AS signals,
    sum(lines) AS lines,
    max(CASE place WHEN 1 THEN told END) || coalesce(', ' || max(CASE place WHEN 2 THEN told END), '')
        || coalesce(', ' || max(CASE place WHEN 3 THEN told END), '')
        || CASE WHEN count(*) > 3 THEN ' and ' || CAST(count(*) - 3 AS VARCHAR(20)) || ' more' ELSE '' END AS why,
    min(role) AS role,
    min(first_seen_ms) AS first_seen_ms,
    max(last_seen_ms) AS last_seen_ms,
    max(found_by) AS found_by
FROM weighed
GROUP BY subject_kind, subject
