-- fraud-queue: Open cases of fraud, the most severe first
-- Which cases need a decision, and which are new since the last look?
--
-- Grain: one row per subject_kind, subject
--
-- Parameters:
--   :kind   text(account, device, installation, receipt, all)  account     kind of subjects shown; or all
--   :since  date                                               null        only cases last seen on this day or later
--   :found  date                                               null        only cases whose newest signal was found
--                                                                          first on this day or later
--   :top    integer(1..)                                       100         cases shown
--
-- Columns:
--   place         integer           place in the queue, from 1
--   subject_kind  text              account, device, installation or receipt
--   subject       text              the account, the device, the lineage, or the receipt's SHA-256
--   score         integer           100 for each kind of signal at high severity, 10 at medium, 1 at low
--   severity      text              of the gravest signal
--   role          text              of what is shared, this account or device is: copier, of any of it; else holder;
--                                   unknown; null if nothing is
--   signals       integer           kinds of signals
--   new_signals   integer           of these, kinds that were not known when it was decided
--   lines         integer(lines)    lines that show them
--   first_seen    time              the first submission that shows one
--   last_seen     time              the last
--   found_at      time              when the run began that found the newest of its signals first; null if none has
--                                   yet
--   decision      text              what was decided before: watching, or another that new evidence opened again
--   note          text              why, in words
--   subject_key   text              x, then the subject's UTF-8 in hexadecimal: with it, receiptmill flag finds the
--                                   subject of a table even if a spreadsheet has changed the name
--   why           text              the three gravest kinds of signals, with numbers of lines, and how many others
--
-- Shown: place, subject_kind, subject, score, role, why, last_seen
-- Chart: bars  x=score  y=rows  series=severity
--
-- Notes:
--   receiptmill flag takes a case out of the queue, until there is evidence of a kind that was not
--   known then. fraud-case tells who else presented what a case is about, and who shares what.
--   Testers are no thieves: trusted receipts of the sandbox make no case, and neither do accounts,
--   devices, installations and receipts that a pipeline file allows (fraud.allow).
--
-- Example:
--   receiptmill report fraud-queue --database mill.sqlite kind=device

WITH placed AS (
    SELECT
        subject_kind, subject,
        row_number() OVER (ORDER BY score DESC, last_seen DESC, subject_kind, subject) AS place
    FROM fraud_cases
    WHERE is_open = 1
        AND coalesce(:kind, 'account') IN ('all', subject_kind)
        AND (:since IS NULL OR last_seen IS NULL OR substr(last_seen, 1, 10) >= :since)
        AND (:found IS NULL OR found_at IS NULL OR substr(found_at, 1, 10) >= :found)
)

SELECT
    placed.place, placed.subject_kind, placed.subject, shown.score, shown.severity, shown.role, shown.signals,
    shown.new_signals, shown.lines, shown.first_seen, shown.last_seen, shown.found_at, shown.decision, shown.note,
    'x' || lower(hex(placed.subject)) AS subject_key, shown.why
FROM placed
JOIN fraud_cases AS shown ON shown.subject_kind = placed.subject_kind AND shown.subject = placed.subject
WHERE placed.place <= coalesce(CAST(:top AS BIGINT), 100)
ORDER BY placed.place;
