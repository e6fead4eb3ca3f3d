-- fraud-decisions: What was decided of cases
-- Who decided what of which case, when and why?
--
-- Grain: one row per decided_at, subject_kind, subject, decision
--
-- Parameters:
--   :kind   text(account, device, installation, receipt, all)  all         of what cases are
--   :since  date                                               2008-07-10  first day of deciding
--
-- Columns:
--   decided_at    time     when it was decided
--   subject_kind  text     account, device, installation or receipt
--   subject       text     the account, the device, the lineage, or the receipt's SHA-256
--   decision      text     confirmed, innocent, watching, or undone
--   note          text     why, in words
--   decided_by    text     who decided
--   signals       integer  kinds of signals that were known of it then
--
-- Chart: bars  x=decided_at  y=rows  series=decision
--
-- Notes:
--   The last decision of a subject counts. receiptmill flag --file takes this report's CSV file, and
--   that of fraud-queue with the decisions filled in; flag --list writes decisions with the kinds of
--   signals that were known, for another database.
--
-- Example:
--   receiptmill report fraud-decisions --database mill.sqlite --format csv

SELECT
    decided_at, subject_kind, subject, decision, note, decided_by, signals
FROM fraud_decisions
WHERE coalesce(:kind, 'all') IN ('all', subject_kind)
    AND substr(decided_at, 1, 10) >= coalesce(:since, '2008-07-10')
ORDER BY decided_at, decision_id;
