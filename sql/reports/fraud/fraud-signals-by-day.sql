-- fraud-signals-by-day: Signals of fraud by kind and day
-- On which days did which signals come in?
--
-- Grain: one row per day, signal
--
-- Parameters:
--   :environment  environments             Production,ProductionVPP  environments of trusted receipts that count,
--                                                                    separated by commas; or all
--   :bundle       bundle                   all                       bundle identifier of the app; or all
--   :least        text(low, medium, high)  low                       least severity that counts
--   :from         date                     2008-07-10                first day of submission that counts
--   :until        date(:from..)            9999-12-31                last day of submission that counts
--
-- Columns:
--   day     date            day of submission, in UTC
--   signal  text            kind of signal
--   lines   integer(lines)  lines of archives that show it
--
-- Chart: area  x=day  y=lines  series=signal
--
-- Notes:
--   Testers are no thieves: trusted receipts of the sandbox count with environment=all alone. Of
--   a receipt that is not trusted the environment is only a claim, so it counts whatever it says.
--   Submissions without a time are left out.
--
-- Example:
--   receiptmill report fraud-signals-by-day --database mill.sqlite --param least=medium

SELECT
    substr(observed_at, 1, 10) AS day,
    signal,
    count(DISTINCT archive || ' ' || CAST(line AS VARCHAR(20))) AS lines
FROM fraud_signals
WHERE observed_at IS NOT NULL
    AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    AND (
        environment IS NULL
        OR coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
    )
    AND (
        coalesce(:least, 'low') = 'low'
        OR severity = 'high'
        OR (severity = 'medium' AND coalesce(:least, 'low') = 'medium')
    )
    AND substr(observed_at, 1, 10)
        BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
GROUP BY substr(observed_at, 1, 10), signal
ORDER BY 1, 2;
