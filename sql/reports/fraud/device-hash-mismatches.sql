-- device-hash-mismatches: Receipts presented on a device other than their own
-- Who presented a genuine receipt whose hash belongs to another device, and how widely is it shared?
--
-- Grain: one row per submission_id
--
-- Parameters:
--   :from         date           2008-07-10  first day of submission that counts
--   :until        date(:from..)  9999-12-31  last day of submission that counts
--   :min_devices  integer(0..)   0           minimum number of other devices that presented this receipt or another of
--                                            its installation
--
-- Columns:
--   submitted_at    time     when the receipt was presented; null if the line states no time
--   device_id       text     device that presented the receipt
--   account_id      text     account that presented the receipt; null if the line names none
--   environment     text     environment of the receipt
--   bundle_id       text     bundle identifier of the app
--   other_devices   integer  other devices that presented this receipt or another of its installation
--   other_accounts  integer  other accounts that presented this receipt or another of its installation
--   is_bound        integer  1: one of the other devices is the one for which the receipt was made; 0: that device was
--                            not seen
--   purchases       integer  number of transactions in the receipt
--   receipt_sha256  text     SHA-256 of the receipt
--   submission_id   text     identifier of the submission: archive_id:line, followed by .n for the n-th document of a
--                            line
--   archive         text     name of the archive that has the line
--   line            integer  number of the line in the archive, from 1
-- Chart: bars  x=submitted_at  y=rows
--
-- Notes:
--   Only trusted receipts count, since the hash of any other receipt proves nothing.
--   Rows with the most other devices come first. A mismatch alone may have innocent causes: an identifier for vendor
--   changes after the vendor's last app was removed, a MAC address changes with docks and new machines, and a backup
--   contains the receipt. With several other devices or accounts, or with is_bound = 1, copying is likely.
--   Receipts of one installation have the same opaque value and hash (their lineage), however often they are refreshed.
--   Devices are counted over all receipts of the lineage, whatever the notation of their identifiers.
--   A submission without a time counts for any :from and :until.
--
-- Example:
--   receiptmill report device-hash-mismatches --database mill.sqlite min_devices=2

WITH mismatches AS (
    SELECT found.submission_id, found.app_id, receipt.receipt_id, receipt.opaque_value, receipt.device_hash
    FROM model_signals AS found
    JOIN receipt ON receipt.receipt_id = found.receipt_id
    JOIN apps ON apps.app_id = found.app_id
    WHERE found.signal = 'hash_mismatch'
        AND (
            found.submitted_day IS NULL
            OR found.submitted_day BETWEEN
                (SELECT min(day_number) FROM model_days WHERE :from IS NULL OR day >= :from)
                AND (SELECT max(day_number) FROM model_days WHERE :until IS NULL OR day <= :until)
        )
),

-- All submissions of receipts of the same installation; each installation is read once.
presented AS (
    SELECT
        installation.app_id, installation.opaque_value, installation.device_hash, submission.account_id,
        submission.device_check,
        CASE
            WHEN submission.device_check = 'invalid_device_id' THEN NULL
            WHEN length(submission.device_id) IN (8, 22, 24) THEN submission.device_id
            ELSE lower(replace(replace(replace(submission.device_id, '-', ''), ':', ''), '.', ''))
        END AS device
    FROM (
        SELECT app_id, opaque_value, device_hash, min(receipt_id) AS receipt_id
        FROM mismatches
        GROUP BY app_id, opaque_value, device_hash
    ) AS installation
    JOIN internal_installations AS installed ON installed.receipt_id = installation.receipt_id
    JOIN receipt ON receipt.receipt_id = installed.other_receipt_id AND receipt.app_id = installation.app_id
    JOIN submission ON submission.receipt_id = receipt.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND submission.device_check <> 'server_issued'
),

counted AS (
    SELECT
        app_id, opaque_value, device_hash,
        count(DISTINCT device) AS devices,
        count(DISTINCT account_id) AS accounts,
        max(CASE device_check WHEN 'match' THEN 1 ELSE 0 END) AS is_bound
    FROM presented
    GROUP BY app_id, opaque_value, device_hash
)

SELECT
    shown.submitted_at, shown.device_id, shown.account_id, shown.environment, shown.bundle_id,
    -- The counts include the device and the account of the row itself, so one is subtracted.
    counted.devices - 1 AS other_devices,
    counted.accounts - CASE WHEN shown.account_id IS NULL THEN 0 ELSE 1 END AS other_accounts,
    counted.is_bound, shown.purchase_count AS purchases, shown.receipt_sha256, shown.submission_id, shown.archive,
    shown.line
FROM mismatches
JOIN counted
    ON counted.app_id = mismatches.app_id
    AND counted.opaque_value = mismatches.opaque_value
    AND counted.device_hash = mismatches.device_hash
JOIN presentations AS shown ON shown.submission_number = mismatches.submission_id
WHERE counted.devices - 1 >= coalesce(CAST(:min_devices AS BIGINT), 0)
ORDER BY 6 DESC, 7 DESC, 1 NULLS FIRST, 11;
