-- As sql/views/fraud_cases.sql, which says what the columns mean, for engines that take no condition on a table two
-- SELECTs further out: signals that came after a decision are counted for all decisions at once.
CREATE VIEW fraud_cases AS
WITH later AS (
    SELECT decided.decision_id, count(DISTINCT evidence.signal) AS signals
    FROM fraud_decisions AS decided
    JOIN model_evidence AS evidence
        ON evidence.subject_kind = decided.subject_kind
        AND evidence.subject = decided.subject
    LEFT JOIN decision_signal AS known
        ON known.decision_id = decided.decision_id
        AND known.signal = evidence.signal
    WHERE decided.is_last = 1
        AND known.decision_id IS NULL
    GROUP BY decided.decision_id
)

SELECT
    subject_kind,
    subject,
    score,
    CASE points WHEN 100 THEN 'high' WHEN 10 THEN 'medium' ELSE 'low' END AS severity,
    signals,
    new_signals,
    lines,
    strftime('%Y-%m-%dT%H:%M:%SZ', first_seen_ms / 1000, 'unixepoch') AS first_seen,
    strftime('%Y-%m-%dT%H:%M:%SZ', last_seen_ms / 1000, 'unixepoch') AS last_seen,
    decision,
    decided_at,
    decided_by,
    note,
    CASE WHEN decision IN ('confirmed', 'innocent') AND new_signals = 0 THEN 0 ELSE 1 END AS is_open,
    role,
    strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS found_at
FROM (
    SELECT
        found.*,
        decided.decision,
        decided.decided_at,
        decided.decided_by,
        decided.note,
        CASE WHEN decided.decision_id IS NULL THEN found.signals ELSE coalesce(later.signals, 0) END AS new_signals,
        run.started_at
    FROM model_cases AS found
    LEFT JOIN fraud_decisions AS decided
        ON decided.subject_kind = found.subject_kind
        AND decided.subject = found.subject
        AND decided.is_last = 1
    LEFT JOIN later ON later.decision_id = decided.decision_id
    LEFT JOIN run ON run.run_id = found.found_by
    WHERE NOT EXISTS (
            SELECT 1 FROM allowed_subject AS allowed
            WHERE allowed.subject_kind = found.subject_kind
                AND allowed.subject = CASE
                    WHEN found.subject_kind = 'device' AND length(found.subject) NOT IN (8, 22, 24)
                        THEN lower(replace(replace(replace(found.subject, '-', ''), ':', ''), '.', ''))
                    ELSE found.subject
                END
        )
) AS cases;
