-- Every signal of fraud: odd documents, odd lines, and what several devices or accounts share. docs/fraud.md explains
-- each kind, how sure it is, and its innocent causes.
--
-- A document is evidence on each line that presents it; an untrusted one also on each line whose document contains it.
-- If something is shared, whoever presented it on the device that it was made for is a holder, and so are the accounts
-- seen there; if there is a holder, whoever presents it on another device is a copier. model_odd_lines explains the
-- signals of lines.
--
-- Lines of a damaged archive that no checksum covers raise no signal until the archive is complete, because a flipped
-- bit looks like forgery.
--
-- Grain: one row per signal, submission, document and transaction
-- Key: submission_id, signal, receipt_id, transaction_id
-- Index: account_id
-- Index: device_id
-- Index: receipt_id
-- Reference: submission_id = submission(submission_id)
-- Reference: receipt_id = receipt(receipt_id)
--
-- Columns:
--   signal          TEXT!     –          kind of signal
--   severity        TEXT!     –          low: odd, often innocent; medium: worth a look; high: sufficient evidence by
--                                        itself
--   submission_id   INTEGER!  –          submission that shows the signal, by the loader's number
--   archive_id      INTEGER!  –          the submission's archive, by the loader's number
--   line            INTEGER!  –          number of the line in the archive, from 1
--   account_id      TEXT      –          account that the line names, as the line writes it
--   device_id       TEXT      –          device that the line names, as the line writes it
--   submitted_ms    INTEGER   ms         when the line was submitted
--   submitted_day   INTEGER   –          number of the local day of submitted_ms
--   receipt_id      INTEGER!  –          the document, by the loader's number
--   app_id          INTEGER!  –          the document's app and environment, by the loader's number
--   is_trusted      INTEGER!  0 or 1     1: the document is trusted; 0: it is not, so the environment that it states is
--                                        not proven
--   is_tester       INTEGER!  0 or 1     1: the document is trusted and of a sandbox, so that a tester presented it
--   transaction_id  TEXT!     –          transaction that the signal is about; empty if none
--   role            TEXT      –          for signals of sharing, what the presenter is: holder, copier, or unknown;
--                                        else null
--   thing           TEXT      –          key of what is shared, as in model_shared
--   devices         INTEGER   devices    number of devices that presented what is shared
--   accounts        INTEGER   accounts   number of accounts that presented what is shared
--   documents       INTEGER   documents  number of documents that belong to what is shared
--   is_bound        INTEGER   0 or 1     1: somebody presented what is shared on the device that it was made for
--   event_ms        INTEGER   ms         time of the event that the signal is about: end of the license, purchase,
--                                        refund, or creation of a document after its submission
--   other_ms        INTEGER   ms         time that the event contradicts: creation of the document, or expiration
--   words           TEXT      –          for signals about versions, the versions in words
--   found_by        INTEGER   –          number of the run that first found the signal; null if no run has found it yet
WITH held AS (
    SELECT
        shared.signal,
        shared.thing,
        shared.receipt_id,
        shared.transaction_id,
        shared.devices,
        shared.accounts,
        shared.documents,
        shared.is_bound,
        shared.severity,
        shared.holder_severity,
        submission.submission_id,
        submission.device_check,
        submission.account_id,
        submission.device_id,
        CASE
            WHEN submission.device_check = 'match' THEN 1
            WHEN submission.account_id IS NULL THEN 0
            ELSE max(CASE WHEN submission.device_check = 'match' THEN 1 ELSE 0 END) OVER (
                PARTITION BY shared.thing, shared.signal, submission.account_id
            )
        END AS is_holder
    FROM model_shared AS shared
    JOIN submission ON submission.receipt_id = shared.receipt_id
),

found AS (
    SELECT
        odd.signal,
        odd.severity,
        submission.submission_id,
        odd.receipt_id,
        odd.transaction_id,
        CAST(NULL AS VARCHAR(10)) AS role,
        CAST(NULL AS VARCHAR(255)) AS thing,
        CAST(NULL AS BIGINT) AS devices,
        CAST(NULL AS BIGINT) AS accounts,
        CAST(NULL AS BIGINT) AS documents,
        CAST(NULL AS BIGINT) AS is_bound,
        odd.event_ms,
        odd.other_ms,
        odd.words
    FROM model_odd_documents AS odd
    JOIN submission ON submission.receipt_id = odd.receipt_id
    WHERE odd.shown_from_ms IS NULL
        OR odd.shown_from_ms <= submission.submitted_at
    UNION ALL
    SELECT
        odd.signal, odd.severity, submission.submission_id, odd.receipt_id, odd.transaction_id, NULL, NULL, NULL, NULL, NULL,
        NULL, odd.event_ms, odd.other_ms, odd.words
    FROM model_odd_documents AS odd
    JOIN receipt ON receipt.receipt_id = odd.receipt_id
    JOIN receipt_part ON receipt_part.part_receipt_id = odd.receipt_id
    JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE receipt.verdict <> 'trusted'
    UNION ALL
    SELECT signal, severity, submission_id, receipt_id, '', NULL, NULL, NULL, NULL, NULL, NULL, event_ms, NULL, words
    FROM model_odd_lines
    UNION ALL
    SELECT
        signal,
        CASE is_holder WHEN 1 THEN holder_severity ELSE severity END,
        submission_id,
        receipt_id,
        transaction_id,
        CASE WHEN is_holder = 1 THEN 'holder' WHEN device_check = 'mismatch' AND is_bound = 1 THEN 'copier' ELSE 'unknown' END,
        thing,
        devices,
        accounts,
        documents,
        is_bound,
        NULL,
        NULL,
        NULL
    FROM held
    -- Sharing needs lines with an account or a device, and for tokens with an account; transactions and consumables
    -- count on any line.
    WHERE account_id IS NOT NULL
        OR signal IN ('shared_transaction', 'replayed_consumable')
        OR (signal <> 'shared_account_token' AND device_id IS NOT NULL)
)

SELECT
    found.signal,
    found.severity,
    found.submission_id,
    submission.archive_id,
    submission.line,
    submission.account_id,
    submission.device_id,
    submission.submitted_at AS submitted_ms,
    CASE WHEN submission.submitted_at < days.midnight_ms THEN days.earlier_day ELSE days.later_day END AS submitted_day,
    found.receipt_id,
    receipt.app_id,
    CASE receipt.verdict WHEN 'trusted' THEN 1 ELSE 0 END AS is_trusted,
    CASE WHEN receipt.verdict = 'trusted' AND app.environment LIKE '%Sandbox' THEN 1 ELSE 0 END AS is_tester,
    found.transaction_id,
    found.role,
    found.thing,
    found.devices,
    found.accounts,
    found.documents,
    found.is_bound,
    found.event_ms,
    found.other_ms,
    found.words,
    coalesce(sighting.run_id, (SELECT max(run_id) FROM model_run)) AS found_by
FROM found
JOIN submission ON submission.submission_id = found.submission_id
JOIN receipt ON receipt.receipt_id = found.receipt_id
JOIN app ON app.app_id = receipt.app_id
LEFT JOIN model_utc_days AS days
    ON days.utc_day = CAST((submission.submitted_at - submission.submitted_at % 86400000) / 86400000 AS BIGINT)
LEFT JOIN signal_sighting AS sighting
    ON sighting.submission_id = found.submission_id
    AND sighting.signal = found.signal
    AND sighting.transaction_id = found.transaction_id
LEFT JOIN archive ON archive.archive_id = submission.archive_id
WHERE archive.sound_lines IS NULL
    OR submission.line <= archive.sound_lines
