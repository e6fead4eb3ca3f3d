-- One row per case, as fraud_cases has it, before words are found for it: what case_evidence adds up to, and what was
-- decided.
--
-- Columns:
--   subject_kind  –      –     as in case_evidence
--   subject       –      –     as in case_evidence
--   decision      –      –     confirmed, innocent or watching; null where nothing is decided
--   decided_at    time   –     when
--   decided_by    –      –     who decided
--   note          –      –     why, in words
--   score         –      –     points of all kinds of signals
--   points        –      –     points of the gravest
--   signals       –      –     kinds of signals
--   new_signals   –      –     of these, kinds that were not known when it was decided; all where nothing is decided
--   lines         lines  –     lines that show them
--   role          –      –     as in fraud_cases
--   first_seen    time   line  the first submission that shows one; null where none states a time
--   last_seen     time   line  the last
--   found_by      –      –     the run that found the newest of its signals first
CREATE VIEW judged_cases AS
-- Windows instead of groups: SQLite hands a condition on what they are parted by down to case_evidence.
SELECT
    subject_kind,
    subject,
    decision,
    decided_at,
    decided_by,
    note,
    score,
    points,
    signals,
    new_signals,
    lines,
    role,
    first_seen,
    last_seen,
    found_by
FROM (
    SELECT
        evidence.subject_kind,
        evidence.subject,
        decided.decision,
        decided.decided_at,
        decided.decided_by,
        decided.note,
        sum(evidence.points) OVER subject AS score,
        max(evidence.points) OVER subject AS points,
        count(*) OVER subject AS signals,
        sum(CASE WHEN known.signal IS NULL THEN 1 ELSE 0 END) OVER subject AS new_signals,
        sum(evidence.lines) OVER subject AS lines,
        -- The words stand in this order.
        min(evidence.role) OVER subject AS role,
        min(evidence.first_seen) OVER subject AS first_seen,
        max(evidence.last_seen) OVER subject AS last_seen,
        max(evidence.found_by) OVER subject AS found_by,
        CASE WHEN evidence.signal = min(evidence.signal) OVER subject THEN 1 ELSE 0 END AS is_first
    FROM case_evidence AS evidence
    LEFT JOIN last_decisions AS decided
        ON decided.subject_kind = evidence.subject_kind
        AND decided.subject = evidence.subject
    LEFT JOIN decision_signal AS known
        ON known.decision_id = decided.decision_id
        AND known.signal = evidence.signal
    WINDOW subject AS (PARTITION BY evidence.subject, evidence.subject_kind)
) AS shown
WHERE is_first = 1;
