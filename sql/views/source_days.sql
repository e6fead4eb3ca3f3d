-- One row per day, app, owner, app version and source: the trusted documents that were
-- presented, those inside others included. An owner is known as in app_owners; null
-- where neither account nor device is known. Documents made for another device, and
-- renewal infos, which name no app, are left out.
--
-- Columns:
--   environment      –                attribute 0  as in receipts
--   bundle_id        –                attribute 2  as in receipts
--   owner            –                line         as in `app_owners`; null where none is known
--   owner_kind       –                –            `account`, `device` or `none`
--   source           –                –            `receipts`, or `signed` of signed data
--   is_notified      0 or 1           –            1: a notification, or inside one: a server was told, and no app
--                                                  presented it
--   app_version      –                attribute 3  version of the app; null where none is stated, as of transactions
--   app_version_key  –                attribute 3  the same as text that sorts
--   day_number       days since 1970  –            when it was presented, else created; null where neither is known
--   submissions      –                –            how many were presented; what stands inside another is none
CREATE VIEW source_days AS
WITH shown AS (
    SELECT
        submission.receipt_id,
        submission.account_id,
        submission.device_id,
        submission.submitted_at,
        1 AS submissions,
        0 AS is_held
    FROM submission
    WHERE submission.device_check <> 'mismatch'
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        submission.account_id,
        submission.device_id,
        coalesce(submission.submitted_at, holder.receipt_creation_date),
        0,
        1
    FROM receipt_part
    CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
    CROSS JOIN submission ON submission.receipt_id = holder.receipt_id
    WHERE submission.device_check <> 'mismatch'
),

counted AS (
    SELECT
        receipt.app_id,
        coalesce(shown.account_id, shown.device_id) AS owner,
        CASE
            WHEN shown.account_id IS NOT NULL THEN 'account'
            WHEN shown.device_id IS NOT NULL THEN 'device'
            ELSE 'none'
        END AS owner_kind,
        CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 'receipts' ELSE 'signed' END AS source,
        CASE WHEN shown.is_held = 1 OR receipt.kind = 'notification' THEN 1 ELSE 0 END AS is_notified,
        receipt.app_version_id,
        (coalesce(shown.submitted_at, receipt.receipt_creation_date) + (SELECT ms FROM zone_offset)) / 86400000 AS day_number,
        sum(shown.submissions) AS submissions
    FROM shown
    CROSS JOIN receipt ON receipt.receipt_id = shown.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_renewal'
    GROUP BY 2, 7, 1, 6, 4, 5, 3
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    counted.owner,
    counted.owner_kind,
    counted.source,
    counted.is_notified,
    app_version.version AS app_version,
    app_version.version_key AS app_version_key,
    counted.day_number,
    counted.submissions
FROM counted
JOIN app ON app.app_id = counted.app_id
LEFT JOIN version AS app_version ON app_version.version_id = counted.app_version_id;
