-- Receipts that their device should refresh, and why: no_original_version, attribute 19 is absent, as before 2013-06-20;
-- hash_mismatch, made for another device, as after a move to a new one; not_trusted, it fails verification; superseded,
-- presented after a newer receipt of its installation had been created. Servers get notifications, which are left out.
--
-- Grain: one row per app, reason, and device, or account of which no device is known
-- Key: submission_id, reason
-- Reference: submission_id = submission(submission_id)
-- Reference: receipt_id = receipt(receipt_id)
--
-- Columns:
--   reason         TEXT!     –            no_original_version, hash_mismatch, not_trusted or superseded
--   submission_id  ANY!      –            the last submission of such a receipt, by the loader's number
--   receipt_id     INTEGER!  –            the receipt, likewise
--   app_id         INTEGER!  –            app and environment, likewise
--   account_id     TEXT      –            the account with the greatest name of those that presented such a receipt
--   user_id        INTEGER   –            the account, else the device, as in model_users; null where it presented
--                                         nothing that is trusted
--   submissions    INTEGER!  submissions  how many of such a receipt
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
),

stale AS (
    SELECT 'no_original_version' AS reason, submission.submission_id
    FROM receipt
    JOIN submission ON submission.receipt_id = receipt.receipt_id
    WHERE receipt.original_application_version_id IS NULL
        AND receipt.verdict = 'trusted'
        AND receipt.kind IN ('app_receipt', 'app_transaction')
    UNION ALL
    SELECT 'hash_mismatch', submission.submission_id
    FROM submission
    JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE submission.device_check = 'mismatch'
        AND receipt.verdict = 'trusted'
    UNION ALL
    SELECT 'not_trusted', submission.submission_id
    FROM receipt
    JOIN submission ON submission.receipt_id = receipt.receipt_id
    WHERE receipt.verdict <> 'trusted'
        AND receipt.kind <> 'notification'
    UNION ALL
    SELECT 'superseded', submission.submission_id
    FROM lineage
    JOIN submission ON submission.receipt_id = lineage.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND lineage.superseded_ms - lineage.superseded_ms % 1000 < submission.submitted_at - submission.submitted_at % 1000
),

placed AS (
    SELECT
        stale.reason,
        stale.submission_id,
        submission.receipt_id,
        receipt.app_id,
        submission.device_id,
        max(submission.account_id) OVER whole AS account_id,
        count(*) OVER whole AS submissions,
        row_number() OVER (
            PARTITION BY
                stale.reason, receipt.app_id, submission.device_id,
                CASE WHEN submission.device_id IS NULL THEN submission.account_id END
            ORDER BY coalesce(submission.submitted_at, -1) DESC, receipt.sha256 DESC, stale.submission_id DESC
        ) AS place
    FROM stale
    JOIN submission ON submission.submission_id = stale.submission_id
    JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE submission.device_id IS NOT NULL
        OR submission.account_id IS NOT NULL
    WINDOW whole AS (
        PARTITION BY
            stale.reason, receipt.app_id, submission.device_id,
            CASE WHEN submission.device_id IS NULL THEN submission.account_id END
    )
)

SELECT
    placed.reason,
    placed.submission_id,
    placed.receipt_id,
    placed.app_id,
    placed.account_id,
    users.user_id,
    placed.submissions
FROM placed
LEFT JOIN model_users AS users
    ON users.name = coalesce(placed.account_id, placed.device_id)
    AND users.is_device = CASE WHEN placed.account_id IS NULL THEN 1 ELSE 0 END
    AND users.app_id = placed.app_id
WHERE placed.place = 1
