-- standing: What to look at first
-- Which signals of fraud are new, how many cases are open, and what did the last run refuse?
--
-- Grain: one row per last_run_at
-- Aliases: today
--
-- Parameters:
--   :environment  environments  Production  environments of the trusted documents whose signals count, and of
--                                           newest_document, separated by commas; or all
--   :bundle       bundle        all         bundle identifier of the app whose signals and newest_document are shown;
--                                           or all
--
-- Columns:
--   last_run_at       time               when the last run began
--   outcome           text               how the last run ended: done, alarm, incomplete, stopped, failed, interrupted
--                                        or running
--   new_high_signals  integer(signals)   signals of high severity found since the previous run, without those that are
--                                        allowed or decided
--   open_cases        integer(cases)     number of open cases of fraud
--   lines             integer(lines)     lines that the last run processed
--   rejected_share    share              of the lines, the share without a readable document
--   new_documents     integer(receipts)  documents that the last run saw for the first time
--   untrusted_share   share              of the new_documents, the share that is not trusted
--   newest_document   time               when the newest trusted document was created
--   archives          integer(archives)  number of archives in the database
--
-- Shown: last_run_at, outcome, new_high_signals, open_cases, rejected_share, untrusted_share, newest_document
--
-- Notes:
--   Signals of trusted documents of other environments are left out, since testers present them. open_cases,
--   rejected_share and untrusted_share are about all apps and environments.
--   No chart: there is one row.
--
-- Example:
--   receiptmill report standing --database mill.sqlite

WITH last_run AS (
    SELECT * FROM run WHERE run_id = (SELECT max(run_id) FROM run)
),

first_seen AS (
    SELECT
        count(*) AS documents,
        sum(CASE WHEN receipt.verdict = 'trusted' THEN 0 ELSE 1 END) AS untrusted
    FROM receipt
    WHERE receipt.receipt_id > (SELECT last_receipt FROM last_run)
)

SELECT
    runs.started_at AS last_run_at, runs.outcome,
    (
        SELECT count(*)
        FROM fraud_signals
        WHERE severity = 'high'
            AND is_new = 1 AND is_settled = 0
            AND (
                environment IS NULL
                OR coalesce(:environment, 'Production') = 'all'
                OR instr(',' || coalesce(:environment, 'Production') || ',', ',' || environment || ',') > 0
            )
            AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    ) AS new_high_signals,
    (SELECT count(*) FROM fraud_cases WHERE is_open = 1) AS open_cases,
    last_run.lines,
    round(CAST(last_run.rejected AS DOUBLE) / nullif(last_run.lines, 0), 4) AS rejected_share,
    first_seen.documents AS new_documents,
    round(CAST(first_seen.untrusted AS DOUBLE) / nullif(first_seen.documents, 0), 4) AS untrusted_share,
    (
        SELECT max(as_of)
        FROM apps
        WHERE coalesce(:bundle, 'all') IN ('all', bundle_id)
            AND (
                coalesce(:environment, 'Production') = 'all'
                OR instr(',' || coalesce(:environment, 'Production') || ',', ',' || environment || ',') > 0
            )
    ) AS newest_document,
    (SELECT count(*) FROM archives) AS archives
FROM last_run
JOIN first_seen ON 1 = 1
JOIN runs ON runs.run_id = last_run.run_id
ORDER BY 1;
