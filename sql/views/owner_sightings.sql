-- One row per submission and trusted document that it presents, those that stand inside others included: who presented
-- what of which app, and when. What another device than its own presented proves nothing and is left out, as are
-- renewal infos, which name no app.
--
-- Columns:
--   app_number      –                        –            the app's number in this database alone
--   environment     –                        attribute 0  of the document
--   bundle_id       –                        attribute 2  of the document
--   owner           –                        line         as in app_owners; null where the line names neither account
--                                                         nor device
--   owner_kind      –                        –            `account`, `device` or `none`
--   account_id      –                        line         as in submissions
--   device_id       –                        line         as in submissions
--   presented_ms    milliseconds since 1970  line         when it was presented; where the line states no time, when
--                                                         the store created the document, or what it stands in
--   presented       time                     line         the same as text
--   day_number      days since 1970          line         the same as a day
--   source          –                        –            `receipts`, or `signed` of signed data
--   is_notified     0 or 1                   –            1: a notification, or inside one: a server was told, and no
--                                                         app presented it
--   version_number  –                        attribute 3  number of the app's version in this database alone; null
--                                                         where none is stated
--   submissions     –                        –            1; of what stands inside another document 0
CREATE VIEW owner_sightings AS
SELECT
    receipt.app_id AS app_number,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE
        WHEN submission.account_id IS NOT NULL THEN 'account'
        WHEN submission.device_id IS NOT NULL THEN 'device'
        ELSE 'none'
    END AS owner_kind,
    submission.account_id,
    submission.device_id,
    coalesce(submission.submitted_at, receipt.receipt_creation_date) AS presented_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(submission.submitted_at, receipt.receipt_creation_date) / 1000, 'unixepoch')
        AS presented,
    CASE
        WHEN coalesce(submission.submitted_at, receipt.receipt_creation_date) < seen.midnight_ms THEN seen.earlier_day
        ELSE seen.later_day
    END AS day_number,
    CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 'receipts' ELSE 'signed' END AS source,
    CASE WHEN receipt.kind = 'notification' THEN 1 ELSE 0 END AS is_notified,
    receipt.app_version_id AS version_number,
    1 AS submissions
FROM submission
CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
CROSS JOIN app ON app.app_id = receipt.app_id
LEFT JOIN model_utc_days AS seen
    ON seen.utc_day = coalesce(submission.submitted_at, receipt.receipt_creation_date) / 86400000
WHERE submission.device_check <> 'mismatch'
    AND receipt.verdict = 'trusted'
    AND receipt.kind <> 'signed_renewal'
UNION ALL
SELECT
    receipt.app_id,
    nullif(app.environment, ''),
    nullif(app.bundle_id, ''),
    coalesce(submission.account_id, submission.device_id),
    CASE
        WHEN submission.account_id IS NOT NULL THEN 'account'
        WHEN submission.device_id IS NOT NULL THEN 'device'
        ELSE 'none'
    END,
    submission.account_id,
    submission.device_id,
    coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date),
    strftime('%Y-%m-%dT%H:%M:%SZ', coalesce(
        submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date
    ) / 1000, 'unixepoch'),
    CASE
        WHEN coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date)
            < seen.midnight_ms THEN seen.earlier_day
        ELSE seen.later_day
    END,
    CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 'receipts' ELSE 'signed' END,
    1,
    receipt.app_version_id,
    0
FROM receipt_part
CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
CROSS JOIN app ON app.app_id = receipt.app_id
LEFT JOIN model_utc_days AS seen
    ON seen.utc_day = coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date) / 86400000
WHERE submission.device_check <> 'mismatch'
    AND receipt.verdict = 'trusted'
    AND receipt.kind <> 'signed_renewal';
