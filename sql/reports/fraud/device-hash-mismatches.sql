-- device-hash-mismatches: Receipts presented by a device they were not made for
-- Who presented a genuine receipt whose hash belongs to another device, and how widely is it shared?
--
-- Grain: one row per submission_id
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :from         date           2008-07-10                first day of submission that counts
--   :until        date(:from..)  9999-12-31                last day of submission that counts
--   :min_devices  integer(0..)   0                         least number of other devices that presented it
--
-- Columns:
--   submitted_at    time     when the receipt was presented; null where the archive does not say
--   device_id       text     device that presented it
--   account_id      text     account that presented it; null where the archive does not say
--   environment     text     environment of the receipt
--   bundle_id       text     bundle identifier of the app
--   other_devices   integer  other devices that presented this receipt or another of its installation
--   other_accounts  integer  other accounts that did
--   is_bound        integer  1: one of the other devices is the one it was made for; 0: that one was not seen
--   purchases       integer  transactions in the receipt
--   receipt_sha256  text     the receipt
--   submission_id   text     the submission
--   archive         text     file that holds it
--   line            integer  its line in that file, from 1
--
-- Chart: bars  x=submitted_at  y=rows
--
-- Notes:
--   Only trusted receipts count: in any other the hash proves nothing.
--   Rows with the most other devices come first. A mismatch alone has innocent
--   reasons: an identifier for vendor is renewed when the vendor's last app is
--   removed, MAC addresses change with docks and new machines, and a backup
--   takes its receipt along. With several other devices or accounts, or with
--   is_bound = 1, copying is likely.
--   Receipts of one installation share opaque value and hash (their lineage)
--   however often they are refreshed. Devices are counted over the lineage, in
--   whatever notation their identifiers are written.
--   A submission without a time counts whatever the days.
--
-- Example:
--   receiptmill report device-hash-mismatches --database mill.sqlite --param min_devices=2

WITH evidence AS (
    SELECT
        submission_id,
        count(
            DISTINCT CASE WHEN other_device_key <> device_key THEN other_device_key END
        ) AS other_devices,
        count(
            DISTINCT CASE
                WHEN other_account_id <> coalesce(account_id, '') THEN other_account_id
            END
        ) AS other_accounts,
        max(CASE WHEN other_device_check = 'match' THEN 1 ELSE 0 END) AS is_bound,
        submitted_at,
        device_id,
        account_id,
        environment,
        bundle_id,
        purchase_count,
        receipt_sha256,
        archive,
        line
    FROM lineage_submissions
    WHERE device_check = 'mismatch'
        AND verdict = 'trusted'
        AND other_device_check <> 'server_issued'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
        AND (
            submitted_at IS NULL
            OR substr(submitted_at, 1, 10)
                BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        )
    GROUP BY
        submission_id, submitted_at, device_id, account_id, environment, bundle_id,
        purchase_count, receipt_sha256, archive, line
)

SELECT
    submitted_at,
    device_id,
    account_id,
    environment,
    bundle_id,
    other_devices,
    other_accounts,
    is_bound,
    purchase_count AS purchases,
    receipt_sha256,
    submission_id,
    archive,
    line
FROM evidence
WHERE other_devices >= coalesce(CAST(:min_devices AS BIGINT), 0)
ORDER BY other_devices DESC, other_accounts DESC, submitted_at NULLS FIRST, submission_id;
