-- One row per decision on a subject of fraud_cases, including undone ones. The last decision on a subject counts.
--
-- Columns:
--   decision_id   –       –  number of the decision, in chronological order
--   subject_kind  –       –  account, device, installation or receipt
--   subject       –       –  the account, the device, the installation's lineage (as in the view receipts), or the
--                            receipt's SHA-256
--   decision      –       –  confirmed, innocent, watching, or undone
--   note          –       –  reason for the decision, in words
--   decided_by    –       –  who made the decision
--   decided_at    time    –  when the decision was made
--   signals       kinds   –  number of kinds of signals of the subject that were known at the decision
--   is_last       0 or 1  –  1: the decision counts; 0: a later decision counts, or this one only undid another
CREATE VIEW fraud_decisions AS
SELECT
    decision.decision_id,
    decision.subject_kind,
    decision.subject,
    decision.verdict AS decision,
    decision.note,
    decision.decided_by,
    strftime('%Y-%m-%dT%H:%M:%SZ', decision.decided_at / 1000, 'unixepoch') AS decided_at,
    (SELECT count(known.signal) FROM decision_signal AS known WHERE known.decision_id = decision.decision_id) AS signals,
    CASE
        WHEN decision.verdict = 'undone' THEN 0
        WHEN EXISTS (
            SELECT 1 FROM decision AS later
            WHERE later.subject_kind = decision.subject_kind
                AND later.subject = decision.subject
                AND later.decision_id > decision.decision_id
        ) THEN 0
        ELSE 1
    END AS is_last
FROM decision;
