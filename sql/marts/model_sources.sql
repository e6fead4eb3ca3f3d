-- Owners by month and by what they presented: receipts, signed data, or both. Only what apps and their servers present
-- counts: transactions, app transactions and receipts. Notifications, the documents inside them, and renewal infos are
-- left out, because the App Store sends them whatever the app does. A document that was made for another device counts
-- for nobody.
--
-- Grain: one row per app, version and month
-- Key: app_id, version_id, month_number
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id                 INTEGER!  –            app and environment, by the loader's number
--   version_id             INTEGER!  –            the highest version that an owner's documents of the month state, by
--                                                 the loader's number; 0 if none is stated
--   month_number           INTEGER!  –            number of the month in which the documents were presented, else
--                                                 created; 0 if unknown
--   owners                 INTEGER!  owners       owners who presented a document
--   receipts_only          INTEGER!  owners       of the owners, those who presented receipts alone
--   signed_only            INTEGER!  owners       of the owners, those who presented signed data alone
--   ownerless_submissions  INTEGER!  submissions  submissions that name neither account nor device
--   receipt_submissions    INTEGER!  submissions  submissions of receipts, with owner or without
--   signed_submissions     INTEGER!  submissions  submissions of signed data, with owner or without
--   entries                INTEGER!  submissions  number of submissions that this row sums up
WITH places AS (
    SELECT version_id, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

presented AS (
    SELECT
        receipt.app_id,
        coalesce(submission.account_id, submission.device_id) AS name,
        CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END AS is_device,
        CASE
            WHEN coalesce(submission.submitted_at, receipt.receipt_creation_date) < day.midnight_ms THEN day.earlier_month
            ELSE day.later_month
        END AS month_number,
        CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 0 ELSE 1 END AS is_signed,
        places.place
    FROM submission
    JOIN receipt ON receipt.receipt_id = submission.receipt_id
    LEFT JOIN places ON places.version_id = receipt.app_version_id
    LEFT JOIN model_utc_days AS day
        ON day.utc_day = CAST(
            (coalesce(submission.submitted_at, receipt.receipt_creation_date)
                - coalesce(submission.submitted_at, receipt.receipt_creation_date) % 86400000) / 86400000 AS BIGINT)
    WHERE submission.device_check <> 'mismatch'
        AND receipt.verdict = 'trusted'
        AND receipt.kind IN ('app_receipt', 'transaction_receipt', 'signed_transaction', 'app_transaction')
),

owners AS (
    SELECT
        app_id,
        coalesce(month_number, 0) AS month_number,
        max(place) AS place,
        CASE WHEN name IS NULL THEN 0 ELSE 1 END AS is_owner,
        count(*) AS submissions,
        sum(is_signed) AS signed_submissions
    FROM presented
    GROUP BY name, is_device, app_id, month_number, CASE WHEN name IS NULL THEN place END
)

SELECT
    owners.app_id,
    coalesce(places.version_id, 0) AS version_id,
    owners.month_number,
    sum(owners.is_owner) AS owners,
    sum(CASE WHEN owners.signed_submissions = 0 THEN owners.is_owner ELSE 0 END) AS receipts_only,
    sum(CASE WHEN owners.signed_submissions = owners.submissions THEN owners.is_owner ELSE 0 END) AS signed_only,
    sum(CASE WHEN owners.is_owner = 0 THEN owners.submissions ELSE 0 END) AS ownerless_submissions,
    sum(owners.submissions - owners.signed_submissions) AS receipt_submissions,
    sum(owners.signed_submissions) AS signed_submissions,
    sum(owners.submissions) AS entries
FROM owners
LEFT JOIN places ON places.place = owners.place
GROUP BY owners.app_id, coalesce(places.version_id, 0), owners.month_number
