-- One row per account, device or receipt with evidence in fraud_signals, and what was decided
-- of it (receiptmill flag): the queue of a fraud team.
--
-- Columns:
--   subject_kind  –        –     account, device or receipt
--   subject       –        –     the account, the device, or the receipt's SHA-256
--   score         –        –     100 for each kind of signal at high severity, 10 at medium, 1 at low
--   severity      –        –     of the gravest signal: low, medium or high
--   signals       –        –     kinds of signals
--   new_signals   –        –     of these, kinds that were not known when it was decided; all where nothing is decided
--   lines         lines    –     lines that show them
--   first_seen    time     line  the first submission that shows one; null where none states a time
--   last_seen     time     line  the last
--   decision      –        –     confirmed, innocent or watching; null where nothing is decided
--   decided_at    time     –     when
--   decided_by    –        –     who decided
--   note          –        –     why, in words
--   is_open       0 or 1   –     1: nothing is decided, it is watched, or there is evidence of a new kind
CREATE VIEW fraud_cases AS
WITH kind(subject_kind) AS (
    SELECT 'account' UNION ALL SELECT 'device' UNION ALL SELECT 'receipt'
),

shown AS (
    SELECT
        kind.subject_kind,
        CASE kind.subject_kind
            WHEN 'account' THEN found.account_id WHEN 'device' THEN found.device_id ELSE found.receipt_sha256
        END AS subject,
        found.signal,
        CASE found.severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
        found.archive || ' ' || CAST(found.line AS VARCHAR(20)) AS place,
        found.observed_at
    FROM fraud_signals AS found
    CROSS JOIN kind
),

evidence AS (
    SELECT
        subject_kind,
        subject,
        signal,
        max(points) AS points,
        count(DISTINCT place) AS lines,
        min(observed_at) AS first_seen,
        max(observed_at) AS last_seen
    FROM shown
    WHERE subject IS NOT NULL
    GROUP BY subject_kind, subject, signal
),

last_decision AS (
    SELECT subject_kind, subject, max(decision_id) AS decision_id
    FROM decision
    GROUP BY subject_kind, subject
),

decided AS (
    SELECT
        decision.decision_id,
        decision.subject_kind,
        decision.subject,
        decision.verdict,
        decision.decided_at,
        decision.decided_by,
        decision.note
    FROM last_decision
    JOIN decision ON decision.decision_id = last_decision.decision_id
    WHERE decision.verdict <> 'undone'
),

cases AS (
    SELECT
        evidence.subject_kind,
        evidence.subject,
        sum(evidence.points) AS score,
        max(evidence.points) AS points,
        count(*) AS signals,
        sum(CASE WHEN known.signal IS NULL THEN 1 ELSE 0 END) AS new_signals,
        sum(evidence.lines) AS lines,
        min(evidence.first_seen) AS first_seen,
        max(evidence.last_seen) AS last_seen,
        max(decided.decision_id) AS decision_id
    FROM evidence
    LEFT JOIN decided ON decided.subject_kind = evidence.subject_kind AND decided.subject = evidence.subject
    LEFT JOIN decision_signal AS known
        ON known.decision_id = decided.decision_id AND known.signal = evidence.signal
    GROUP BY evidence.subject_kind, evidence.subject
)

SELECT
    cases.subject_kind,
    cases.subject,
    cases.score,
    CASE cases.points WHEN 100 THEN 'high' WHEN 10 THEN 'medium' ELSE 'low' END AS severity,
    cases.signals,
    cases.new_signals,
    cases.lines,
    cases.first_seen,
    cases.last_seen,
    decided.verdict AS decision,
    strftime('%Y-%m-%dT%H:%M:%SZ', decided.decided_at / 1000, 'unixepoch') AS decided_at,
    decided.decided_by,
    decided.note,
    CASE WHEN decided.verdict IN ('confirmed', 'innocent') AND cases.new_signals = 0 THEN 0 ELSE 1 END AS is_open
FROM cases
LEFT JOIN decided ON decided.decision_id = cases.decision_id;
