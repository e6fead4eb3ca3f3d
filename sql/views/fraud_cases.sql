-- One row per account, device, installation or receipt with evidence in fraud_signals, and the last decision on it
-- (receiptmill flag). This is the queue of a fraud team. Trusted receipts of the sandbox make no case, since testers
-- present them; neither do subjects that a pipeline file allows.
--
-- Columns:
--   subject_kind  –        –     account, device, installation or receipt
--   subject       –        –     the account, the device, the installation's lineage (as in the view receipts), or the
--                                receipt's SHA-256
--   score         –        –     100 for each kind of signal at high severity, 10 at medium, 1 at low
--   severity      –        –     severity of the gravest signal: low, medium or high
--   signals       kinds    –     number of kinds of signals
--   new_signals   kinds    –     number of kinds of signals that were unknown at the decision; all kinds if nothing is
--                                decided
--   lines         lines    –     lines of archives that show a signal; a line counts once for each kind of signal
--   first_seen    time     line  time of the first submission that shows a signal; null if none states a time
--   last_seen     time     line  time of the last submission that shows a signal; null if none states a time
--   decision      –        –     confirmed, innocent or watching; null if nothing is decided
--   decided_at    time     –     when the decision was made
--   decided_by    –        –     who made the decision
--   note          –        –     reason for the decision, in words
--   is_open       0 or 1   –     1: nothing is decided, the decision is watching, or there is a new kind of signal
--   role          –        –     of an account or device: copier if it copied anything, else holder or unknown; null if
--                                it shares nothing
--   found_at      time     –     when the run that first found the newest signal began; null if no run has found it yet
--   why           –        –     the three gravest kinds of signals, with their numbers of lines, and how many more
--                                kinds there are
CREATE VIEW fraud_cases AS
-- For each decision, the number of kinds of signals that came after it.
WITH later AS (
    SELECT decided.decision_id, count(DISTINCT evidence.signal) AS signals
    FROM fraud_decisions AS decided
    JOIN internal_evidence AS evidence
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
    strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS found_at,
    why
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
