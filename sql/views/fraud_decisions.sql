-- One row per decision on a subject of fraud_cases, undone ones too. The last of a subject counts.
--
-- Columns:
--   decision_id   –     –  number of the decision, in the order of deciding
--   subject_kind  –     –  account, device, installation or receipt
--   subject       –     –  as in fraud_cases
--   decision      –     –  confirmed, innocent, watching, or undone
--   note          –     –  why, in words
--   decided_by    –     –  who decided
--   decided_at    time  –  when
--   signals       –     –  kinds of signals that were known of it then
CREATE VIEW fraud_decisions AS
SELECT
    decision_id,
    subject_kind,
    subject,
    verdict AS decision,
    note,
    decided_by,
    strftime('%Y-%m-%dT%H:%M:%SZ', decided_at / 1000, 'unixepoch') AS decided_at,
    (SELECT count(*) FROM decision_signal AS known WHERE known.decision_id = decision.decision_id) AS signals
FROM decision;
