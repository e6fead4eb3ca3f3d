-- fraud-subjects: Accounts or devices with the most evidence of fraud
-- Which accounts, or devices, have the most evidence of fraud against them, and what is it?
--
-- Grain: one row per subject, signal
--
-- Parameters:
--   :by           text(account, device)  account     kind of subjects: accounts or devices
--   :environment  environments           Production  environments of trusted receipts that count, separated by commas;
--                                                    or all
--   :bundle       bundle                 all         bundle identifier of the app; or all
--   :from         date                   2008-07-10  first day of submission that counts
--   :until        date(:from..)          9999-12-31  last day of submission that counts
--   :top          integer(1..)           100         maximum number of subjects shown
--
-- Columns:
--   rank           integer         place by score; subjects with equal scores have the same place
--   score          integer         100 for each kind of signal at high severity, 10 at medium, 1 at low
--   subject        text            the account or device, as the archive's lines write it
--   other_parties  integer         devices seen with the account, or accounts seen with the device, on lines with
--                                  evidence
--   signal         text            kind of signal that the subject shows
--   severity       text            highest severity of this kind of signal
--   lines          integer(lines)  lines that show the signal
--   detail         text            the evidence of one line that shows the signal, in words
--   archive        text            name of the archive that has the line described in detail
--   line           integer         number of the line described in detail, in its archive, from 1
--   last_on        date            day of the last submission that shows the signal; null if none states a time
--
-- Shown: score, subject, signal, severity, detail, other_parties, lines, archive, line
-- Chart: bars  x=signal  y=rows  series=severity
--
-- Notes:
--   Trusted receipts of the sandbox count only with environment=all, since testers present them. An untrusted receipt
--   counts whatever environment it states, since that is only a claim.
--   A subject has one row for each kind of signal; its rank and score repeat. Each kind counts once, at its highest
--   severity, however often it occurs, since a receipt that was sent a hundred times is not a hundredfold fraud. A
--   score below 100 means that no signal has high severity.
--   A score is a reason to look (fraud-case), never a reason to punish: docs/fraud.md has the innocent causes of every
--   kind. The report fraud-queue leaves out decided cases.
--
-- Example:
--   receiptmill report fraud-subjects --database mill.sqlite by=device top=20

WITH verified AS (
    SELECT
        CASE :by WHEN 'device' THEN found.device_id ELSE found.account_id END AS subject,
        CASE :by WHEN 'device' THEN found.account_id ELSE found.device_id END AS other,
        found.signal,
        CASE found.severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
        found.archive_id, found.line, found.submission_id, found.receipt_id, found.transaction_id, found.submitted_day
    FROM model_signals AS found
    WHERE CASE :by WHEN 'device' THEN found.device_id ELSE found.account_id END IS NOT NULL
        AND found.app_id IN (SELECT app_id FROM app WHERE coalesce(:bundle, 'all') IN ('all', bundle_id))
        AND (
            found.is_trusted = 0
            OR found.app_id IN (
                SELECT app_id FROM app
                WHERE coalesce(:environment, 'Production') = 'all'
                    OR instr(',' || coalesce(:environment, 'Production') || ',', ',' || environment || ',') > 0
            )
        )
        AND (
            found.submitted_day IS NULL
            OR found.submitted_day BETWEEN
                (SELECT min(day_number) FROM model_days WHERE :from IS NULL OR day >= :from)
                AND (SELECT max(day_number) FROM model_days WHERE :until IS NULL OR day <= :until)
        )
),

-- Lines are sorted only for the subjects that are shown.
chosen AS (
    SELECT subject
    FROM (
        SELECT subject, row_number() OVER (ORDER BY sum(points) DESC, subject) AS place
        FROM (SELECT subject, signal, max(points) AS points FROM verified GROUP BY subject, signal) AS graded
        GROUP BY subject
    ) AS scored
    WHERE place <= coalesce(CAST(:top AS BIGINT), 100)
),

-- The first row of each kind is a line with the highest severity, always the same one.
placed AS (
    SELECT
        verified.*,
        row_number() OVER (
            PARTITION BY verified.subject, verified.signal
            ORDER BY verified.points DESC, archive.sha256, verified.line, receipt.sha256, verified.transaction_id
        ) AS place
    FROM verified
    LEFT JOIN archive ON archive.archive_id = verified.archive_id
    LEFT JOIN receipt ON receipt.receipt_id = verified.receipt_id
    WHERE verified.subject IN (SELECT subject FROM chosen)
),

others AS (
    SELECT subject, count(DISTINCT other) AS others FROM placed GROUP BY subject
),

evidence AS (
    SELECT
        subject, signal,
        max(points) AS points,
        count(DISTINCT CAST(archive_id AS VARCHAR(40)) || ' ' || CAST(line AS VARCHAR(20))) AS lines,
        max(submitted_day) AS last_day_number,
        max(CASE place WHEN 1 THEN submission_id END) AS submission_id,
        max(CASE place WHEN 1 THEN receipt_id END) AS receipt_id,
        max(CASE place WHEN 1 THEN transaction_id END) AS transaction_id,
        sum(max(points)) OVER (PARTITION BY subject) AS score
    FROM placed
    GROUP BY subject, signal
)

SELECT
    dense_rank() OVER (ORDER BY evidence.score DESC) AS rank,
    evidence.score, evidence.subject, others.others AS other_parties, evidence.signal,
    CASE evidence.points WHEN 100 THEN 'high' WHEN 10 THEN 'medium' ELSE 'low' END AS severity,
    evidence.lines, shown.detail, shown.archive, shown.line, days.day AS last_on
FROM evidence
JOIN others ON others.subject = evidence.subject
JOIN fraud_signals AS shown ON shown.submission_number = evidence.submission_id AND shown.signal = evidence.signal
    AND shown.receipt_number = evidence.receipt_id
    AND shown.transaction_key = evidence.transaction_id
LEFT JOIN model_days AS days ON days.day_number = evidence.last_day_number
ORDER BY evidence.score DESC, evidence.subject, evidence.points DESC, evidence.signal;
