-- One row per submission of a receipt that its device should refresh, and
-- reason; servers get notifications, which are left out: no_original_version, attribute 19 is absent, as before 2013-06-20;
-- hash_mismatch, made for another device, as after a move to a new one;
-- not_trusted, it fails verification; superseded, presented after a newer
-- receipt of its installation had been created.
--
-- Columns:
--   reason          –     –            no_original_version, hash_mismatch, not_trusted or superseded
--   environment     –     attribute 0  the receipt's
--   bundle_id       –     attribute 2  the receipt's
--   device_id       –     line         the device, as the line writes it
--   account_id      –     line         the account
--   submission_id   –     –            the submission
--   submitted_at    time  line         when it was submitted
--   receipt_sha256  –     –            the receipt
--   app_version     –     attribute 3  its version
CREATE VIEW stale_presentations AS
SELECT
    'no_original_version' AS reason,
    presentations.environment,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.submission_id,
    presentations.submitted_at,
    presentations.receipt_sha256,
    presentations.app_version
FROM receipt
CROSS JOIN presentations ON presentations.receipt_number = receipt.receipt_id
WHERE receipt.original_application_version_id IS NULL
    AND receipt.verdict = 'trusted'
    AND receipt.kind IN ('app_receipt', 'app_transaction')
UNION ALL
SELECT
    'hash_mismatch' AS reason,
    presentations.environment,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.submission_id,
    presentations.submitted_at,
    presentations.receipt_sha256,
    presentations.app_version
FROM presentations
WHERE presentations.device_check = 'mismatch'
    AND presentations.verdict = 'trusted'
UNION ALL
SELECT
    'not_trusted' AS reason,
    presentations.environment,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.submission_id,
    presentations.submitted_at,
    presentations.receipt_sha256,
    presentations.app_version
FROM presentations
WHERE presentations.verdict <> 'trusted'
    AND presentations.kind <> 'notification'
UNION ALL
SELECT
    'superseded' AS reason,
    presentations.environment,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.submission_id,
    presentations.submitted_at,
    presentations.receipt_sha256,
    presentations.app_version
FROM (
    SELECT
        receipt.receipt_id,
        -- When the next receipt of the installation was created.
        min(receipt.receipt_creation_date) OVER (
            -- What differs most comes first, which makes the sort cheaper.
            PARTITION BY receipt.device_hash, receipt.opaque_value, receipt.app_id
            ORDER BY receipt.receipt_creation_date
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS superseded_at
    FROM (
        -- Grouped as lineages are sorted: most installations have one receipt, and of these none is read.
        SELECT hash_prefix
        FROM receipt_lineage
        GROUP BY hash_prefix
        HAVING count(*) > 1
    ) AS refreshed
    CROSS JOIN receipt_lineage AS lineage ON lineage.hash_prefix = refreshed.hash_prefix
    CROSS JOIN receipt ON receipt.receipt_id = lineage.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.receipt_creation_date IS NOT NULL
) AS lineage
-- Few were presented later: only of these names are looked up.
CROSS JOIN submission ON submission.receipt_id = lineage.receipt_id
CROSS JOIN presentations ON presentations.submission_number = submission.submission_id
WHERE lineage.superseded_at IS NOT NULL
    AND submission.device_check <> 'mismatch'
    AND lineage.superseded_at / 1000 < submission.submitted_at / 1000;
