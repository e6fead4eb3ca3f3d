-- fraud-queue: Open cases of fraud, the most severe first
-- Which cases need a decision, and which are new since the last look?
--
-- Grain: one row per subject_kind, subject
--
-- Parameters:
--   :kind   text(account, device, installation, receipt, all)  all   kind of subjects shown; or all
--   :since  date                                               null  only cases with evidence of this day or
--                                                                    later, or without a time
--   :found  date                                               null  only cases whose newest signal was first
--                                                                    found on this day or later, or by no run yet
--   :top    integer(1..)                                       null  maximum number of cases shown; by default all
--
-- Columns:
--   place         integer           place in the queue, from 1
--   subject_kind  text              account, device, installation or receipt
--   subject       text              the account, the device, the installation's lineage (as in the view receipts), or
--                                   the receipt's SHA-256
--   score         integer           100 for each kind of signal at high severity, 10 at medium, 1 at low
--   severity      text              severity of the gravest signal: low, medium or high
--   role          text              of an account or device: copier if it copied anything, else holder or unknown; null
--                                   if it shares nothing
--   signals       integer           number of kinds of signals
--   new_signals   integer           number of kinds of signals that were unknown at the decision; all kinds if nothing
--                                   is decided
--   lines         integer(lines)    lines of archives that show a signal; a line counts once for each kind of signal
--   first_seen    time              time of the first submission that shows a signal; null if none states a time
--   last_seen     time              time of the last submission that shows a signal; null if none states a time
--   found_at      time              when the run that first found the newest signal began; null if no run has found it
--                                   yet
--   decision      text              the last decision: watching, or one that a new kind of signal opened again; null if
--                                   nothing is decided
--   note          text              reason for the decision, in words
--   subject_key   text              x, followed by the UTF-8 bytes of the subject in hexadecimal; receiptmill flag
--                                   accepts it, even if a spreadsheet has changed the subject itself
--   why           text              the three gravest kinds of signals, with their numbers of lines, and how many more
--                                   kinds there are
--
-- Shown: place, subject_kind, subject, score, role, why, last_seen
-- Chart: bars  x=score  y=rows  series=severity
--
-- Notes:
--   A case leaves the queue when receiptmill flag decides it as confirmed or innocent, and returns if a signal of
--   another kind is found. The report fraud-case shows who else presented the receipts of a case, and who shares them.
--   Trusted receipts of the sandbox make no case, since testers present them. Neither do accounts, devices,
--   installations and receipts that a pipeline file allows (fraud.allow).
--
-- Example:
--   receiptmill report fraud-queue --database mill.sqlite kind=device

WITH placed AS (
    SELECT
        subject_kind, subject,
        row_number() OVER (ORDER BY score DESC, last_seen DESC, subject_kind, subject) AS place
    FROM fraud_cases
    WHERE is_open = 1
        AND coalesce(:kind, 'all') IN ('all', subject_kind)
        AND (:since IS NULL OR last_seen IS NULL OR substr(last_seen, 1, 10) >= :since)
        AND (:found IS NULL OR found_at IS NULL OR substr(found_at, 1, 10) >= :found)
)

SELECT
    placed.place, placed.subject_kind, placed.subject, shown.score, shown.severity, shown.role, shown.signals,
    shown.new_signals, shown.lines, shown.first_seen, shown.last_seen, shown.found_at, shown.decision, shown.note,
    'x' || lower(hex(placed.subject)) AS subject_key, shown.why
FROM placed
JOIN fraud_cases AS shown ON shown.subject_kind = placed.subject_kind AND shown.subject = placed.subject
WHERE :top IS NULL OR placed.place <= CAST(:top AS BIGINT)
ORDER BY placed.place;
