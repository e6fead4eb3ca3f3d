-- One row per account, device, installation or receipt with evidence in fraud_signals, and what was decided
-- of it (receiptmill flag): the queue of a fraud team. Which evidence counts, case_evidence says.
--
-- Columns:
--   subject_kind  –        –     account, device, installation or receipt
--   subject       –        –     the account, the device, the lineage as in receipts, or the receipt's SHA-256
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
--   role          –        –     of what is shared, this account or device is: copier, of any of it; else holder; unknown;
--                                null where nothing is
--   found_at      time     –     when the run began that found the newest of its signals first
CREATE VIEW fraud_cases AS
WITH cases AS (
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
        max(decided.decision_id) AS decision_id,
        -- The words stand in this order.
        min(evidence.role) AS role,
        max(evidence.found_by) AS found_by
    FROM case_evidence AS evidence
    LEFT JOIN last_decisions AS decided
        ON decided.subject_kind = evidence.subject_kind
        AND decided.subject = evidence.subject
    LEFT JOIN decision_signal AS known
        ON known.decision_id = decided.decision_id
        AND known.signal = evidence.signal
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
    decided.decision,
    decided.decided_at,
    decided.decided_by,
    decided.note,
    CASE WHEN decided.decision IN ('confirmed', 'innocent') AND cases.new_signals = 0 THEN 0 ELSE 1 END AS is_open,
    cases.role,
    strftime('%Y-%m-%dT%H:%M:%SZ', run.started_at / 1000, 'unixepoch') AS found_at
FROM cases
LEFT JOIN last_decisions AS decided ON decided.decision_id = cases.decision_id
LEFT JOIN run ON run.run_id = cases.found_by;
