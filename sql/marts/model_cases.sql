-- Cases of fraud: accounts, devices, installations and receipts with evidence, by its weight. What was decided of them,
-- and whom a pipeline file allows, fraud_cases tells at once.
--
-- Grain: one row per subject
-- Key: subject_kind, subject
--
-- Columns:
--   subject_kind   TEXT     –      account, device, installation or receipt
--   subject        TEXT     –      as in model_evidence
--   score          INTEGER  –      points of all kinds of signals
--   points         INTEGER  –      points of the gravest
--   signals        INTEGER  –      kinds of signals
--   lines          INTEGER  lines  lines that show them, of each kind
--   role           TEXT     –      as in model_evidence
--   first_seen_ms  INTEGER  ms     the first submission that shows one; null where none states a time
--   last_seen_ms   INTEGER  ms     the last
--   found_by       INTEGER  –      the run that found the newest of its signals first; null where none has yet
SELECT
    subject_kind,
    subject,
    sum(points) AS score,
    max(points) AS points,
    count(*) AS signals,
    sum(lines) AS lines,
    min(role) AS role,
    min(first_seen_ms) AS first_seen_ms,
    max(last_seen_ms) AS last_seen_ms,
    max(found_by) AS found_by
FROM model_evidence
GROUP BY subject_kind, subject
