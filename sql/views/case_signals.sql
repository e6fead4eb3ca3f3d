-- One row per signal that makes a case, and the run that found it: fraud_signals without trusted receipts of the
-- sandbox, since testers present them.
--
-- Columns:
--   account_id         –     line  as in fraud_signals
--   device_id          –     line  as in fraud_signals
--   receipt_sha256     –     –     as in fraud_signals
--   signal             –     –     kind of signal
--   points             –     –     100 where it is of high severity, 10 where medium, 1 where low
--   archive_line       –     –     archive and line, to count lines by
--   role               –     –     as in fraud_signals
--   observed_at        time  line  when it was submitted
--   found_by           –     –     the run that found it first; null where none has yet
--   submission_number  –     –     the submission's number in this database alone
CREATE VIEW case_signals AS
SELECT
    found.account_id,
    found.device_id,
    found.receipt_sha256,
    found.signal,
    CASE found.severity WHEN 'high' THEN 100 WHEN 'medium' THEN 10 ELSE 1 END AS points,
    found.archive || ' ' || CAST(found.line AS VARCHAR(20)) AS archive_line,
    found.role,
    found.observed_at,
    sighting.run_id AS found_by,
    found.submission_number
FROM fraud_signals AS found
LEFT JOIN signal_sighting AS sighting
    ON sighting.submission_id = found.submission_number
    AND sighting.signal = found.signal
    AND sighting.transaction_id = coalesce(found.transaction_id, '')
WHERE coalesce(found.environment, '') NOT LIKE '%Sandbox';
