-- fraud-accounts: Accounts by the weight of the evidence
-- Which accounts have the most evidence of fraud against them, and what is it?
--
-- Grain: one row per account_id, signal
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments of trusted receipts that count, separated by
--                                                          commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day of submission that counts
--   :until        date(:from..)  9999-12-31                last day of submission that counts
--   :top          integer(1..)   100                       accounts shown
--
-- Columns:
--   rank        integer           place by score; equal scores share one
--   score       integer           100 for each kind of signal at high severity, 10 at medium, 1 at low
--   account_id  text              the account, as the lines write it
--   devices     integer(devices)  devices seen with it on the lines with evidence
--   signal      text              a kind of signal against it
--   severity    text              the gravest severity of this kind
--   lines       integer(lines)    lines that show it
--   detail      text              the evidence of one of the lines, in words
--   archive     text              an archive that holds it
--   line        integer           its line there
--   last_at     time              the last submission that shows it; null where none states a time
--
-- Chart: bars  x=signal  y=rows  series=severity
--
-- Notes:
--   Testers are no thieves: trusted receipts of the sandbox count with environment=all alone. Of
--   a receipt that is not trusted the environment is only a claim, so it counts whatever it says.
--   One row for each kind of evidence; the account's rank and score repeat. Each kind
--   counts once however often it occurs, at its gravest: a receipt that was sent a
--   hundred times is not a hundredfold fraud. So 100 means one proof, 99 none.
--   A score is a reason to look (fraud-case), never one to punish: docs/fraud.md
--   has the innocent cases of every kind.
--
-- Example:
--   receiptmill report fraud-accounts --database mill.sqlite --param top=20

WITH verified AS (
    SELECT
        account_id,
        device_id,
        signal,
        CASE severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
        archive,
        line,
        detail,
        observed_at
    FROM fraud_signals
    WHERE account_id IS NOT NULL
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
        AND (
            environment IS NULL
            OR coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND (
            observed_at IS NULL
            OR substr(observed_at, 1, 10)
                BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        )
),

-- Lines are put in order for those alone that are shown.
chosen AS (
    SELECT account_id
    FROM (
        SELECT account_id, row_number() OVER (ORDER BY sum(points) DESC, account_id) AS place
        FROM (
            SELECT account_id, signal, max(points) AS points
            FROM verified
            GROUP BY account_id, signal
        ) AS graded
        GROUP BY account_id
    ) AS scored
    WHERE place <= coalesce(CAST(:top AS BIGINT), 100)
),

-- The first row of each kind is one line of the gravest, always the same; the
-- first with a device counts it. Joins to counts made apart would be quadratic.
placed AS (
    SELECT
        account_id,
        signal,
        points,
        archive,
        line,
        detail,
        observed_at,
        row_number() OVER (
            PARTITION BY account_id, signal ORDER BY points DESC, archive, line, detail
        ) AS place,
        CASE
            WHEN device_id IS NULL THEN 0
            WHEN row_number() OVER (PARTITION BY account_id, device_id ORDER BY signal, archive, line) = 1 THEN 1
            ELSE 0
        END AS is_new
    FROM verified
    WHERE account_id IN (SELECT account_id FROM chosen)
),

evidence AS (
    SELECT
        account_id,
        signal,
        max(points) AS points,
        count(DISTINCT archive || ' ' || CAST(line AS VARCHAR(20))) AS lines,
        max(CASE WHEN place = 1 THEN detail END) AS detail,
        max(CASE WHEN place = 1 THEN archive END) AS archive,
        max(CASE WHEN place = 1 THEN line END) AS line,
        max(observed_at) AS last_at,
        sum(is_new) AS others
    FROM placed
    GROUP BY account_id, signal
),

scored AS (
    SELECT
        account_id,
        signal,
        points,
        lines,
        detail,
        archive,
        line,
        last_at,
        sum(points) OVER (PARTITION BY account_id) AS score,
        sum(others) OVER (PARTITION BY account_id) AS devices
    FROM evidence
)

SELECT
    dense_rank() OVER (ORDER BY score DESC) AS rank,
    score,
    account_id,
    devices,
    signal,
    CASE points WHEN 100 THEN 'high' WHEN 10 THEN 'medium' ELSE 'low' END AS severity,
    lines,
    detail,
    archive,
    line,
    last_at
FROM scored
ORDER BY score DESC, account_id, points DESC, signal;
