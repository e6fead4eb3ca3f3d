-- Every signal with the run that found it first: what is new. A lake keeps no runs, and all is new there.
--
-- Columns:
--   signal          –     –               as in fraud_signals
--   severity        –     –               as in fraud_signals
--   bundle_id       –     attribute 2     as in fraud_signals
--   device_id       –     line            as in fraud_signals
--   account_id      –     line            as in fraud_signals
--   receipt_sha256  –     –               as in fraud_signals
--   transaction_id  –     attribute 1703  as in fraud_signals
--   archive         –     –               as in fraud_signals
--   line            –     –               as in fraud_signals
--   detail          –     –               as in fraud_signals
--   observed_at     time  line            as in fraud_signals
--   environment     –     attribute 0     as in fraud_signals
--   role            –     –               as in fraud_signals
--   found_by        –     –               the run that found it first; null where none has yet
--   found_at        time  –               when that run began
--   is_new          0 or 1  –             1: found by the last run; where that is one of receiptmill run, since such a
--                                         run came to its end before
--   is_settled      0 or 1  –             1: its account, else its device, else its receipt is allowed, or was decided
--                                         as confirmed or innocent when this kind of signal was known
CREATE VIEW dated_signals AS
WITH since AS (
    SELECT coalesce(max(earlier.run_id), 0) AS run_id
    FROM (SELECT max(run_id) AS run_id FROM run) AS last
    JOIN run AS latest ON latest.run_id = last.run_id
    JOIN run AS earlier
        ON earlier.run_id < latest.run_id
        AND earlier.reviews_alarms >= latest.reviews_alarms
    WHERE earlier.outcome IN ('done', 'alarm', 'incomplete')
),

settled AS (
    SELECT last_decisions.subject_kind, last_decisions.subject, known.signal
    FROM last_decisions
    JOIN decision_signal AS known ON known.decision_id = last_decisions.decision_id
    WHERE last_decisions.decision IN ('confirmed', 'innocent')
),

owned AS (
    SELECT
        signal,
        severity,
        bundle_id,
        device_id,
        account_id,
        receipt_sha256,
        transaction_id,
        archive,
        line,
        detail,
        observed_at,
        environment,
        role,
        submission_number,
        CASE
            WHEN account_id IS NOT NULL THEN 'account'
            WHEN device_id IS NOT NULL THEN 'device'
            ELSE 'receipt'
        END AS subject_kind,
        coalesce(account_id, device_id, receipt_sha256) AS subject
    FROM fraud_signals
)

SELECT
    owned.signal,
    owned.severity,
    owned.bundle_id,
    owned.device_id,
    owned.account_id,
    owned.receipt_sha256,
    owned.transaction_id,
    owned.archive,
    owned.line,
    owned.detail,
    owned.observed_at,
    owned.environment,
    owned.role,
    sighting.run_id AS found_by,
    strftime('%Y-%m-%dT%H:%M:%SZ', run.started_at / 1000, 'unixepoch') AS found_at,
    CASE WHEN sighting.run_id <= since.run_id THEN 0 ELSE 1 END AS is_new,
    CASE WHEN settled.signal IS NULL AND allowed.subject IS NULL THEN 0 ELSE 1 END AS is_settled
FROM owned
CROSS JOIN since
LEFT JOIN signal_sighting AS sighting
    ON sighting.submission_id = owned.submission_number
    AND sighting.signal = owned.signal
    AND sighting.transaction_id = coalesce(owned.transaction_id, '')
LEFT JOIN run ON run.run_id = sighting.run_id
LEFT JOIN settled
    ON settled.subject_kind = owned.subject_kind
    AND settled.subject = owned.subject
    AND settled.signal = owned.signal
LEFT JOIN allowed_subject AS allowed
    ON allowed.subject_kind = owned.subject_kind
    AND allowed.subject = CASE
        WHEN owned.subject_kind = 'device' AND length(owned.subject) NOT IN (8, 22, 24)
            THEN lower(replace(replace(replace(owned.subject, '-', ''), ':', ''), '.', ''))
        ELSE owned.subject
    END;
