-- fraud-queue: Cases that are open, the heaviest first
-- What is there to look at, and what is new since it was looked at last?
--
-- Grain: one row per subject_kind, subject
--
-- Parameters:
--   :kind   text(account, device, receipt, all)  account     of what cases are
--   :since  date                                 2008-07-10  first day on which a case was seen last
--   :top    integer(1..)                         100         cases shown
--
-- Columns:
--   place         integer           place in the queue, from 1
--   subject_kind  text              account, device or receipt
--   subject       text              the account, the device, or the receipt's SHA-256
--   score         integer           100 for each kind of signal at high severity, 10 at medium, 1 at low
--   severity      text              of the gravest signal
--   signals       integer           kinds of signals
--   new_signals   integer           of these, kinds that were not known when it was decided
--   lines         integer(lines)    lines that show them
--   first_seen    time              the first submission that shows one
--   last_seen     time              the last
--   decision      text              what was decided before: watching, or another that new evidence opened again
--   note          text              why, in words
--
-- Notes:
--   receiptmill flag takes a case out of the queue, until there is evidence of a kind that was not
--   known then.
--
-- Example:
--   receiptmill report fraud-queue --database mill.sqlite --param kind=device

WITH placed AS (
    SELECT
        subject_kind,
        subject,
        score,
        severity,
        signals,
        new_signals,
        lines,
        first_seen,
        last_seen,
        decision,
        note,
        row_number() OVER (ORDER BY score DESC, last_seen DESC, subject_kind, subject) AS place
    FROM fraud_cases
    WHERE is_open = 1
        AND coalesce(:kind, 'account') IN ('all', subject_kind)
        AND (last_seen IS NULL OR substr(last_seen, 1, 10) >= coalesce(:since, '2008-07-10'))
)

SELECT
    place,
    subject_kind,
    subject,
    score,
    severity,
    signals,
    new_signals,
    lines,
    first_seen,
    last_seen,
    decision,
    note
FROM placed
WHERE place <= coalesce(CAST(:top AS BIGINT), 100)
ORDER BY place;
