-- device-hash-mismatches: Receipts presented by a device they were not made for
-- Who presented a genuine receipt whose hash belongs to another device, and how widely is it shared?
--
-- Grain: one row per archive, line
--
-- Parameters:
--   :environment  text     Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       text     all                       bundle identifier of the app; or all
--   :from         date     2008-07-10                first day of submission that counts
--   :until        date     9999-12-31                last day of submission that counts
--   :min_devices  integer  0                         least number of other devices that presented it
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
--   archive         text     file that holds the submission
--   line            integer  line in that file, from 1
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

WITH suspects AS MATERIALIZED (
    SELECT
        archive,
        line,
        receipt_sha256,
        device_id,
        account_id,
        submitted_at,
        lower(replace(replace(replace(device_id, '-', ''), ':', ''), '.', '')) AS device_key
    FROM submissions
    WHERE device_check = 'mismatch'
        AND verdict = 'trusted'
        AND (
            submitted_at IS NULL
            OR substr(submitted_at, 1, 10)
                BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        )
),

suspected_lineages AS MATERIALIZED (
    SELECT DISTINCT environment, bundle_id, lineage
    FROM receipts
    WHERE lineage IS NOT NULL
        AND receipt_sha256 IN (SELECT receipt_sha256 FROM suspects)
),

-- Every receipt of those installations.
related AS MATERIALIZED (
    SELECT
        receipts.receipt_sha256,
        receipts.environment,
        receipts.bundle_id,
        receipts.lineage,
        receipts.purchase_count
    FROM receipts
    JOIN suspected_lineages
        ON suspected_lineages.lineage = receipts.lineage
        AND suspected_lineages.bundle_id IS receipts.bundle_id
        AND suspected_lineages.environment IS receipts.environment
    WHERE receipts.verdict = 'trusted'
),

-- Every time that one of them was presented.
presented AS MATERIALIZED (
    SELECT
        related.environment,
        related.bundle_id,
        related.lineage,
        submissions.account_id,
        submissions.device_check,
        lower(replace(replace(replace(submissions.device_id, '-', ''), ':', ''), '.', ''))
            AS device_key
    FROM submissions
    JOIN related ON related.receipt_sha256 = submissions.receipt_sha256
    WHERE submissions.device_check <> 'server_issued'
),

evidence AS (
    SELECT
        suspects.submitted_at,
        suspects.device_id,
        suspects.account_id,
        related.environment,
        related.bundle_id,
        count(DISTINCT
            CASE WHEN presented.device_key <> suspects.device_key THEN presented.device_key END)
            AS other_devices,
        count(DISTINCT
            CASE
                WHEN presented.account_id <> coalesce(suspects.account_id, '')
                    THEN presented.account_id
            END)
            AS other_accounts,
        max(CASE WHEN presented.device_check = 'match' THEN 1 ELSE 0 END) AS is_bound,
        related.purchase_count AS purchases,
        suspects.receipt_sha256,
        suspects.archive,
        suspects.line
    FROM suspects
    JOIN related ON related.receipt_sha256 = suspects.receipt_sha256
    JOIN presented
        ON presented.lineage = related.lineage
        AND presented.bundle_id IS related.bundle_id
        AND presented.environment IS related.environment
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || related.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', related.bundle_id)
    GROUP BY suspects.archive, suspects.line, suspects.receipt_sha256
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
    purchases,
    receipt_sha256,
    archive,
    line
FROM evidence
WHERE other_devices >= CAST(coalesce(:min_devices, 0) AS INTEGER)
ORDER BY other_devices DESC, other_accounts DESC, submitted_at, archive, line;
