-- One row per signal of fraud and line that shows it. docs/fraud.md explains what each kind means, how sure it is, and
-- its innocent causes.
--
-- Columns:
--   signal             –       –               kind of signal; docs/fraud.md lists them all
--   severity           –       –               low: odd, often innocent; medium: worth a look; high: sufficient
--                                              evidence by itself
--   bundle_id          –       attribute 2     bundle identifier that the receipt states
--   device_id          –       line            device that the line names, as the line writes it
--   account_id         –       line            account that the line names, as the line writes it
--   receipt_sha256     –       –               SHA-256 of the receipt
--   transaction_id     –       attribute 1703  the store's identifier of the transaction, if the signal is about one
--   archive            –       –               name of the archive that has the line
--   line               –       –               number of the line in the archive, from 1
--   detail             –       –               the evidence in words
--   observed_at        time    line            when the line was submitted
--   environment        –       attribute 0     environment that the receipt states; null if the receipt is not trusted
--   role               –       –               holder: the receipt's hash shows that this device or account is the
--                                              rightful one; copier: that another one is; unknown: the hash shows
--                                              neither; null if nothing is shared
--   submission_number  –       –               the submission's number in this database alone
--   receipt_number     –       –               the receipt's number in this database alone
--   transaction_key    –       –               identifier of the transaction as this database stores it; empty if the
--                                              signal is about none
--   observed_day       –       –               day of the submission, in the database's time zone
--   found_by           –       –               number of the run that first found the signal; null if no run has found
--                                              it yet
--   found_at           time    –               when the run that first found the signal began; null if no run has found
--                                              it yet
--   is_new             0 or 1  –               1: found since the previous run that ended; if the last run is of a
--                                              pipeline file, since the previous such run
--   is_settled         0 or 1  –               1: a pipeline file allows the line's account, else device, else receipt,
--                                              or that subject was decided as confirmed or innocent when this kind of
--                                              signal was known
CREATE VIEW fraud_signals AS
SELECT
    found.signal,
    found.severity,
    nullif(app.bundle_id, '') AS bundle_id,
    found.device_id,
    found.account_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    nullif(CAST(found.transaction_id AS TEXT), '') AS transaction_id,
    archive.name AS archive,
    found.line,
    CASE found.signal
        WHEN 'sandbox_receipt' THEN 'environment ' || app.environment || ' among production receipts'
        WHEN 'unexpected_bundle' THEN 'the app is none of those set up'
        WHEN 'xcode_receipt' THEN 'a receipt of Xcode''s local store'
        WHEN 'hash_mismatch' THEN 'the receipt''s hash was made for another device'
        WHEN 'volume_license_expired'
            THEN 'the volume license expired on ' || strftime('%Y-%m-%d', found.event_ms / 1000, 'unixepoch')
        WHEN 'creation_after_submission' THEN 'created ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.event_ms / 1000, 'unixepoch')
            || ', submitted ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.submitted_ms / 1000, 'unixepoch')
        WHEN 'purchase_after_creation' THEN 'bought ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.event_ms / 1000, 'unixepoch')
            || ', told of ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.other_ms / 1000, 'unixepoch')
        WHEN 'expiry_before_purchase' THEN 'bought ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.event_ms / 1000, 'unixepoch')
            || ', expired ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.other_ms / 1000, 'unixepoch')
        WHEN 'refunded_yet_used' THEN 'refunded ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.event_ms / 1000, 'unixepoch')
            || ', presented without it ' || strftime('%Y-%m-%dT%H:%M:%SZ', found.submitted_ms / 1000, 'unixepoch')
        WHEN 'burst' THEN 'among at least ' || (SELECT value FROM signal_settings WHERE name = 'burst_submissions')
            || ' submissions of the account within ' || (SELECT value FROM signal_settings WHERE name = 'burst_seconds')
            || ' seconds'
        WHEN 'shared_receipt' THEN found.devices || CASE found.devices WHEN 1 THEN ' device' ELSE ' devices' END
            || ' and ' || found.accounts || CASE found.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
            || ' presented this receipt'
            || CASE found.is_bound WHEN 1 THEN '' ELSE ', none of them known as the one that it was made for' END
        WHEN 'shared_lineage' THEN found.devices || CASE found.devices WHEN 1 THEN ' device' ELSE ' devices' END
            || ' and ' || found.accounts || CASE found.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
            || ' presented ' || found.documents || CASE found.documents WHEN 1 THEN ' receipt' ELSE ' receipts' END
            || ' of one installation'
            || CASE found.is_bound WHEN 1 THEN '' ELSE ', none of them known as the one that they were made for' END
        WHEN 'shared_transaction' THEN found.accounts || CASE found.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
            || ' and ' || found.devices || CASE found.devices WHEN 1 THEN ' device' ELSE ' devices' END
            || ' hold this original transaction'
            || CASE found.is_bound WHEN 1 THEN '' ELSE ', none of them known as the one that its receipt was made for' END
        WHEN 'shared_account_token' THEN found.accounts || ' accounts presented purchases with this app account token'
            || CASE found.is_bound WHEN 1 THEN '' ELSE ', none of them known as the one that one was made for' END
        WHEN 'replayed_consumable' THEN found.accounts || CASE found.accounts WHEN 1 THEN ' account' ELSE ' accounts' END
            || ' and ' || found.devices || CASE found.devices WHEN 1 THEN ' device' ELSE ' devices' END
            || ' presented this consumable'
            || CASE found.is_bound WHEN 1 THEN '' ELSE ', none of them known as the one that its receipt was made for' END
        ELSE coalesce(found.words, receipt.verdict_detail)
    END AS detail,
    strftime('%Y-%m-%dT%H:%M:%SZ', found.submitted_ms / 1000, 'unixepoch') AS observed_at,
    CASE found.is_trusted WHEN 1 THEN nullif(app.environment, '') END AS environment,
    found.role,
    found.submission_id AS submission_number,
    found.receipt_id AS receipt_number,
    found.transaction_id AS transaction_key,
    days.day AS observed_day,
    found.found_by,
    strftime('%Y-%m-%dT%H:%M:%SZ', run.started_at / 1000, 'unixepoch') AS found_at,
    CASE
        WHEN found.found_by <= (
            SELECT max(earlier.run_id)
            FROM run AS latest
            JOIN run AS earlier
                ON earlier.run_id < latest.run_id
                AND earlier.reviews_alarms >= latest.reviews_alarms
            WHERE latest.run_id = (SELECT max(run_id) FROM run)
                AND earlier.outcome IN ('done', 'alarm', 'incomplete')
        ) THEN 0
        ELSE 1
    END AS is_new,
    CASE
        WHEN EXISTS (
            SELECT 1
            FROM fraud_decisions AS decided
            JOIN decision_signal AS known ON known.decision_id = decided.decision_id
            WHERE decided.is_last = 1
                AND decided.decision IN ('confirmed', 'innocent')
                AND known.signal = found.signal
                AND decided.subject = coalesce(found.account_id, found.device_id, lower(hex(receipt.sha256)))
                AND decided.subject_kind = CASE
                    WHEN found.account_id IS NOT NULL THEN 'account'
                    WHEN found.device_id IS NOT NULL THEN 'device'
                    ELSE 'receipt'
                END
        ) THEN 1
        WHEN EXISTS (
            SELECT 1
            FROM allowed_subject AS allowed
            WHERE (allowed.subject_kind = 'account' AND allowed.subject = found.account_id)
                OR (
                    allowed.subject_kind = 'device'
                    AND found.account_id IS NULL
                    AND allowed.subject = CASE
                        WHEN length(found.device_id) IN (8, 22, 24) THEN found.device_id
                        ELSE lower(replace(replace(replace(found.device_id, '-', ''), ':', ''), '.', ''))
                    END
                )
                OR (
                    allowed.subject_kind = 'receipt'
                    AND coalesce(found.account_id, found.device_id) IS NULL
                    AND allowed.subject = lower(hex(receipt.sha256))
                )
        ) THEN 1
        ELSE 0
    END AS is_settled
FROM model_signals AS found
LEFT JOIN app ON app.app_id = found.app_id
LEFT JOIN receipt ON receipt.receipt_id = found.receipt_id
LEFT JOIN archive ON archive.archive_id = found.archive_id
LEFT JOIN model_days AS days ON days.day_number = found.submitted_day
LEFT JOIN run ON run.run_id = found.found_by;
