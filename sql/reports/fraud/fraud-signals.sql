-- fraud-signals: Signals of fraud by kind
-- Which kinds of evidence are there, how strong, and on how many receipts, devices and accounts?
--
-- Grain: one row per bundle_id, signal, severity
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments of trusted receipts that count, separated by
--                                                          commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day of submission that counts
--   :until        date(:from..)  9999-12-31                last day of submission that counts
--
-- Columns:
--   bundle_id  text               bundle identifier of the app; (none) where absent
--   signal     text               kind of signal
--   severity   text               high: evidence that stands alone; medium: worth a look; low: odd, often
--                                 innocent
--   lines      integer(lines)     lines of archives that show it
--   receipts   integer(receipts)  distinct receipts
--   devices    integer(devices)   distinct devices, as the lines write them
--   accounts   integer(accounts)  distinct accounts
--   first_at   time               first submission that shows it
--   last_at    time               last submission that does
--
-- Chart: bars  x=signal  y=lines  series=severity
--
-- Notes:
--   Testers are no thieves: trusted receipts of the sandbox count with environment=all alone. Of
--   a receipt that is not trusted the environment is only a claim, so it counts whatever it says.
--   docs/fraud.md says what each kind means, how sure it is and what innocent cases
--   look like. A submission without a time counts whatever the days.
--
-- Example:
--   receiptmill report fraud-signals --database mill.sqlite

SELECT
    coalesce(bundle_id, '(none)') AS bundle_id,
    signal,
    severity,
    count(DISTINCT archive || ' ' || CAST(line AS VARCHAR(20))) AS lines,
    count(DISTINCT receipt_sha256) AS receipts,
    count(DISTINCT device_id) AS devices,
    count(DISTINCT account_id) AS accounts,
    min(observed_at) AS first_at,
    max(observed_at) AS last_at
FROM fraud_signals
WHERE coalesce(:bundle, 'all') IN ('all', bundle_id)
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
GROUP BY coalesce(bundle_id, '(none)'), signal, severity
ORDER BY
    1,
    CASE severity WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END,
    2;
