-- Submissions of receipts that their device should refresh, as in stale_presentations, by number.
--
-- Columns:
--   reason_code        –  –  1: no_original_version; 2: hash_mismatch; 3: not_trusted; 4: superseded
--   submission_number  –  –  the submission's number in this database alone
CREATE VIEW stale_by_number AS
SELECT 1 AS reason_code, submission.submission_id AS submission_number
FROM receipt
CROSS JOIN submission ON submission.receipt_id = receipt.receipt_id
WHERE receipt.original_application_version_id IS NULL
    AND receipt.verdict = 'trusted'
    AND receipt.kind IN ('app_receipt', 'app_transaction')
UNION ALL
SELECT 2, submission.submission_id
FROM submission
CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE submission.device_check = 'mismatch'
    AND receipt.verdict = 'trusted'
UNION ALL
SELECT 3, submission.submission_id
FROM submission
CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE receipt.verdict <> 'trusted'
    AND receipt.kind <> 'notification'
UNION ALL
SELECT 4, submission.submission_id
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
CROSS JOIN submission ON submission.receipt_id = lineage.receipt_id
WHERE lineage.superseded_at IS NOT NULL
    AND submission.device_check <> 'mismatch'
    AND lineage.superseded_at / 1000 < submission.submitted_at / 1000;
