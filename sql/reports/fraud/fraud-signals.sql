-- fraud-signals: Signals of fraud
-- Which evidence is there, how strong, on how many receipts, devices and accounts, since when, and what is new?
--
-- Grain: one row per by_value, bundle_id, signal, severity, place
--
-- Parameters:
--   :by           text(signal, day, month, role, line)  signal      how rows are split, beside app, signal and
--                                                                   severity; line: one row for each signal on each
--                                                                   line
--   :since        date                                  null        only signals that a run found first on this day or
--                                                                   later, or that no run has found yet
--   :found        text(ever, last-run)                  ever        ever: all signals; last-run: only signals found
--                                                                   since the previous run
--   :environment  environments                          Production  environments of trusted receipts that count,
--                                                                   separated by commas; or all
--   :bundle       bundle                                all         bundle identifier of the app; or all
--   :signal       text                                  all         kind of signal shown; or all
--   :least        text(low, medium, high)               low         least severity that counts
--   :from         date                                  2008-07-10  first day of submission that counts
--   :until        date(:from..)                         9999-12-31  last day of submission that counts
--
-- Columns:
--   by_value        text               the day, month or role; (all) if rows are not split by it
--   bundle_id       text               bundle identifier of the app; (none) if absent
--   signal          text               kind of signal
--   severity        text               low: odd, often innocent; medium: worth a look; high: sufficient evidence by
--                                      itself
--   lines           integer(lines)     number of lines of archives that show the signal
--   receipts        integer(receipts)  number of distinct receipts that show the signal
--   devices         integer(devices)   number of distinct devices on lines that show the signal, as the lines write
--                                      them
--   accounts        integer(accounts)  number of distinct accounts on lines that show the signal
--   first_on       date               day of the first submission that shows the signal; null if none states a time
--   last_on        date               day of the last submission that shows the signal; null if none states a time
--   role            text               holder, copier, or unknown; null if nothing is shared, and unless :by is line
--   account_id      text               account that presented the receipt; null if the line names none, and unless :by
--                                      is line
--   device_id       text               device that presented the receipt; null if the line names none, and unless :by
--                                      is line
--   detail          text               the evidence in words; null unless :by is line
--   receipt_sha256  text               SHA-256 of the receipt; null unless :by is line
--   transaction_id  text               the store's identifier of the transaction, if the signal is about one; null
--                                      unless :by is line
--   archive         text               name of the archive that has the line; null unless :by is line
--   line            integer            number of the line in the archive, from 1; null unless :by is line
--   submitted_at    time               when the receipt was presented; null if the line states no time, and unless :by
--                                      is line
--   found_at        time               when the run that first found the signal began; null if no run has found it yet,
--                                      and unless :by is line
--   place           integer            with :by line, number of the row among those with its signal and severity; else
--                                      1
-- Chart: bars  x=signal  y=lines  series=severity
--
-- Panel:
--   place     11
--   title     Lines with signals of fraud, by month and severity
--   chart     bars  x=by_value  y=lines  series=severity
--   settings  by=month
--   missing   No signal of fraud is known in these months.
--
-- Notes:
--   Trusted receipts of the sandbox count only with environment=all, since testers present them. An untrusted receipt
--   counts whatever environment it states, since that is only a claim.
--   docs/fraud.md explains what each kind of signal means, how sure it is, and its innocent causes. A submission
--   without a time counts for any :from and :until.
--   New (found=last-run) is what was found since the previous run that ended, also on lines that earlier runs loaded:
--   for example, when a second device presents the same receipt. If the last run was started by receiptmill run,
--   everything since the previous such run is new. Signals that regrade or a changed threshold causes are found by the
--   next run. With since or found=last-run, a signal is left out if a pipeline file allows its account (else device,
--   else receipt), or if that was decided as confirmed or innocent when this kind of signal was known.
--
-- Example:
--   receiptmill report fraud-signals --database mill.sqlite by=line found=last-run

WITH chosen AS (
    SELECT found.*
    FROM model_signals AS found
    WHERE found.app_id IN (
            SELECT app_id FROM app WHERE coalesce(:bundle, 'all') IN ('all', bundle_id)
        )
        AND (
            found.is_trusted = 0
            OR found.app_id IN (
                SELECT app_id FROM app
                WHERE coalesce(:environment, 'Production') = 'all'
                    OR instr(',' || coalesce(:environment, 'Production') || ',', ',' || environment || ',') > 0
            )
        )
        AND coalesce(:signal, 'all') IN ('all', found.signal)
        AND (
            coalesce(:least, 'low') = 'low'
            OR found.severity = 'high'
            OR (found.severity = 'medium' AND coalesce(:least, 'low') = 'medium')
        )
        AND (
            found.submitted_day IS NULL
            OR found.submitted_day BETWEEN
                (SELECT min(day_number) FROM model_days WHERE :from IS NULL OR day >= :from)
                AND (SELECT max(day_number) FROM model_days WHERE :until IS NULL OR day <= :until)
        )
        AND (
            :since IS NULL
            OR found.found_by IS NULL
            OR found.found_by IN (SELECT run_id FROM runs WHERE substr(started_at, 1, 10) >= :since)
        )
        -- Each signal is looked up on its own to see whether it is new.
        AND (
            (:since IS NULL AND coalesce(:found, 'ever') = 'ever')
            OR EXISTS (
                SELECT 1
                FROM fraud_signals AS dated
                WHERE dated.submission_number = found.submission_id
                    AND dated.signal = found.signal AND dated.receipt_number = found.receipt_id
                    AND dated.is_settled = 0
                    AND (coalesce(:found, 'ever') = 'ever' OR dated.is_new = 1)
            )
        )
),

counted AS (
    SELECT
        CASE coalesce(:by, 'signal')
            WHEN 'day' THEN coalesce(days.day, '(none)')
            WHEN 'month' THEN coalesce(days.month, '(none)')
            WHEN 'role' THEN coalesce(chosen.role, '(none)')
            ELSE '(all)'
        END AS by_value,
        coalesce(nullif(app.bundle_id, ''), '(none)') AS bundle_id,
        chosen.signal, chosen.severity,
        count(DISTINCT CAST(chosen.archive_id AS VARCHAR(40)) || ' ' || CAST(chosen.line AS VARCHAR(20))) AS lines,
        count(DISTINCT chosen.receipt_id) AS receipts,
        count(DISTINCT chosen.device_id) AS devices,
        count(DISTINCT chosen.account_id) AS accounts,
        min(days.day) AS first_on,
        max(days.day) AS last_on
    FROM chosen
    JOIN app ON app.app_id = chosen.app_id
    LEFT JOIN model_days AS days ON days.day_number = chosen.submitted_day
    WHERE coalesce(:by, 'signal') <> 'line'
    GROUP BY 1, 2, 3, 4
),

shown AS (
    SELECT
        by_value, bundle_id, signal, severity, lines, receipts, devices, accounts, first_on, last_on,
        NULL AS role, NULL AS account_id, NULL AS device_id, NULL AS detail, NULL AS receipt_sha256, NULL AS transaction_id,
        NULL AS archive, NULL AS line, NULL AS submitted_at, NULL AS found_at
    FROM counted
    UNION ALL
    SELECT
        '(all)', coalesce(line.bundle_id, '(none)'), line.signal, line.severity, 1, 1,
        CASE WHEN line.device_id IS NULL THEN 0 ELSE 1 END, CASE WHEN line.account_id IS NULL THEN 0 ELSE 1 END,
        line.observed_day, line.observed_day, line.role, line.account_id, line.device_id, line.detail, line.receipt_sha256,
        line.transaction_id, line.archive, line.line, line.observed_at, line.found_at
    FROM chosen
    JOIN fraud_signals AS line ON line.submission_number = chosen.submission_id AND line.signal = chosen.signal
        AND line.receipt_number = chosen.receipt_id AND line.transaction_key = chosen.transaction_id
    WHERE :by = 'line'
)

SELECT
    by_value, bundle_id, signal, severity, lines, receipts, devices, accounts, first_on, last_on, role, account_id,
    device_id, detail, receipt_sha256, transaction_id, archive, line, submitted_at, found_at,
    row_number() OVER (
        PARTITION BY by_value, bundle_id, signal, severity ORDER BY archive, line, receipt_sha256, transaction_id
    ) AS place
FROM shown
ORDER BY
    by_value, bundle_id,
    CASE severity WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END,
    signal,
    place;
