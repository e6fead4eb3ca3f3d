-- One row per subject of which something is decided: the last decision, unless it took another back.
--
-- Columns:
--   decision_id   –     –  number of the decision
--   subject_kind  –     –  as in fraud_cases
--   subject       –     –  as in fraud_cases
--   decision      –     –  confirmed, innocent or watching
--   decided_at    time  –  when
--   decided_by    –     –  who decided
--   note          –     –  why, in words
CREATE VIEW last_decisions AS
SELECT
    decision.decision_id,
    decision.subject_kind,
    decision.subject,
    decision.verdict AS decision,
    strftime('%Y-%m-%dT%H:%M:%SZ', decision.decided_at / 1000, 'unixepoch') AS decided_at,
    decision.decided_by,
    decision.note
FROM decision
WHERE decision.verdict <> 'undone'
    AND NOT EXISTS (
        SELECT 1 FROM decision AS later
        WHERE later.subject_kind = decision.subject_kind
            AND later.subject = decision.subject
            AND later.decision_id > decision.decision_id
    );
