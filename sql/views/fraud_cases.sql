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
-- Kind after kind: the first rows do not wait for all.
WITH cases AS (
    SELECT * FROM judged_cases WHERE subject_kind = 'account'
    UNION ALL
    SELECT * FROM judged_cases WHERE subject_kind = 'device'
    UNION ALL
    SELECT * FROM judged_cases WHERE subject_kind = 'installation'
    UNION ALL
    SELECT * FROM judged_cases WHERE subject_kind = 'receipt'
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
    cases.decision,
    cases.decided_at,
    cases.decided_by,
    cases.note,
    CASE WHEN cases.decision IN ('confirmed', 'innocent') AND cases.new_signals = 0 THEN 0 ELSE 1 END AS is_open,
    cases.role,
    strftime('%Y-%m-%dT%H:%M:%SZ', run.started_at / 1000, 'unixepoch') AS found_at
FROM cases
LEFT JOIN run ON run.run_id = cases.found_by;
