-- fraud-new: Signals of fraud that are new
-- Which evidence did the last run find first, or the runs since a day?
--
-- Grain: one row per signal, archive, line, receipt_sha256, transaction_id
--
-- Parameters:
--   :since        date                     null                      first day of runs that found it; where absent, the
--                                                                    last run
--   :environment  environments             Production,ProductionVPP  environments of trusted receipts that count,
--                                                                    separated by commas; or all
--   :bundle       bundle                   all                       bundle identifier of the app; or all
--   :signal       text                     all                       kind of signal; or all
--   :least        text(low, medium, high)  low                       least severity that counts
--
-- Columns:
--   signal          text     kind of signal
--   severity        text     high: evidence that stands alone; medium: worth a look; low: odd, often innocent
--   role            text     of what is shared: holder, copier, or unknown; null where nothing is
--   account_id      text     account that presented it; null where the line names none
--   device_id       text     device that did; null where the line names none
--   bundle_id       text     bundle identifier of the app; (none) where absent
--   detail          text     the evidence in words
--   receipt_sha256  text     the receipt
--   transaction_id  text     the transaction; (none) where it is about none
--   submitted_at    time     when it was presented; null where the archive does not say
--   archive         text     file of the line
--   line            integer  the line
--   found_at        time     when the run began that found it first; null where none has yet
--
-- Chart: bars  x=signal  y=rows  series=severity
--
-- Notes:
--   New is what the last run found first, also on lines that earlier runs loaded, as when a second
--   device presents the same receipt. Where the last run is one of receiptmill run, runs since such
--   a run came to its end count, too: what was loaded by hand, or by a run that was killed. What
--   regrade or a threshold changed, the next run finds.
--   Evidence is left out of an account (else device, else receipt) that a pipeline file allows, and
--   of one that was decided as confirmed or innocent when this kind of signal was known.
--   Testers are no thieves: trusted receipts of the sandbox count with environment=all alone. Of
--   a receipt that is not trusted the environment is only a claim, so it counts whatever it says.
--
-- Example:
--   receiptmill report fraud-new --database mill.sqlite --param least=high

SELECT
    signal,
    severity,
    role,
    account_id,
    device_id,
    coalesce(bundle_id, '(none)') AS bundle_id,
    detail,
    receipt_sha256,
    coalesce(transaction_id, '(none)') AS transaction_id,
    observed_at AS submitted_at,
    archive,
    line,
    found_at
FROM dated_signals
WHERE is_settled = 0
    AND CASE
        WHEN :since IS NULL THEN is_new = 1
        ELSE found_at IS NULL OR substr(found_at, 1, 10) >= :since
    END
    AND (
        environment IS NULL
        OR coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    AND coalesce(:signal, 'all') IN ('all', signal)
    AND (
        coalesce(:least, 'low') = 'low'
        OR severity = 'high'
        OR (severity = 'medium' AND coalesce(:least, 'low') = 'medium')
    )
ORDER BY
    CASE severity WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END,
    signal, archive, line, receipt_sha256, coalesce(transaction_id, ''), detail;
