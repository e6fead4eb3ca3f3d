-- Lines with receipts that their device should refresh, and why. Notifications, which servers receive, are left out, as
-- are lines without device and account. Reasons:
-- - no_original_version: attribute 19, the original version, is absent, as in receipts before 2013-06-20
-- - hash_mismatch: the receipt was made for another device, as after a move to a new one
-- - not_trusted: the receipt fails verification
-- - superseded: the receipt was presented after a newer receipt of its installation had been created
--
-- Grain: one row per reason and submission
-- Key: submission_id, reason
-- Slice: submission_id
-- Reference: submission_id = submission(submission_id)
--
-- Columns:
--   reason         TEXT!  –  no_original_version, hash_mismatch, not_trusted or superseded
--   submission_id  ANY!   –  the submission, by the loader's number
WITH refreshed AS (
    SELECT hash_prefix
    FROM receipt_lineage
    GROUP BY hash_prefix
    HAVING count(*) > 1
),

lineage AS (
    SELECT
        receipt.receipt_id,
        -- When the next receipt of the installation was created.
        min(receipt.receipt_creation_date) OVER (
            PARTITION BY receipt.device_hash, receipt.opaque_value, receipt.app_id
            ORDER BY receipt.receipt_creation_date
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS superseded_ms
    FROM refreshed
    JOIN receipt_lineage ON receipt_lineage.hash_prefix = refreshed.hash_prefix
    JOIN receipt ON receipt.receipt_id = receipt_lineage.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.receipt_creation_date IS NOT NULL
)

SELECT 'no_original_version' AS reason, submission.submission_id
FROM receipt
JOIN submission ON submission.receipt_id = receipt.receipt_id
WHERE receipt.original_application_version_id IS NULL
    AND receipt.verdict = 'trusted'
    AND receipt.kind IN ('app_receipt', 'app_transaction')
    AND coalesce(submission.device_id, submission.account_id) IS NOT NULL
UNION ALL
SELECT 'hash_mismatch', submission.submission_id
FROM submission
JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE submission.device_check = 'mismatch'
    AND receipt.verdict = 'trusted'
    AND coalesce(submission.device_id, submission.account_id) IS NOT NULL
UNION ALL
SELECT 'not_trusted', submission.submission_id
FROM receipt
JOIN submission ON submission.receipt_id = receipt.receipt_id
WHERE receipt.verdict <> 'trusted'
    AND receipt.kind <> 'notification'
    AND coalesce(submission.device_id, submission.account_id) IS NOT NULL
UNION ALL
SELECT 'superseded', submission.submission_id
FROM lineage
JOIN submission ON submission.receipt_id = lineage.receipt_id
WHERE submission.device_check <> 'mismatch'
    AND lineage.superseded_ms - lineage.superseded_ms % 1000 < submission.submitted_at - submission.submitted_at % 1000
    AND coalesce(submission.device_id, submission.account_id) IS NOT NULL
