-- One row per subscription that somebody presented: who did last, of those with an
-- account, where there are any. Family members are left out, and so is what a device
-- presented that another device's receipt was made for. What stands inside a notification
-- is presented by those who presented that.
--
-- Columns:
--   environment      –     attribute 0     as in purchases
--   bundle_id        –     attribute 2     as in purchases
--   subscription_id  –     attribute 1705  the original transaction; the transaction's own where none is stated
--   owner            –     line            account, else device
--   owner_kind       –     –               `account` or `device`
--   account_id       –     line            the account
--   device_id        –     line            the device that stood beside it then, or presented it alone
--   last_seen_at     time  line            when that was; where the line states no time, when the document was made
--   app_number       –     –               the app's number in this database alone, to count by
CREATE VIEW subscription_owners AS
WITH presented AS (
    SELECT submission_id, receipt_id, account_id, device_id, submitted_at
    FROM submission
    WHERE device_check <> 'mismatch'
        AND coalesce(account_id, device_id) IS NOT NULL
    UNION ALL
    SELECT
        submission.submission_id,
        receipt_part.part_receipt_id,
        submission.account_id,
        submission.device_id,
        submission.submitted_at
    FROM receipt_part
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

ranked AS (
    SELECT
        purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_number,
        presented.account_id,
        presented.device_id,
        coalesce(presented.submitted_at, receipt.receipt_creation_date) AS seen_ms,
        row_number() OVER (
            PARTITION BY coalesce(purchase.original_transaction_id, purchase.transaction_id), purchase.app_id
            ORDER BY
                presented.account_id IS NULL,
                coalesce(presented.submitted_at, receipt.receipt_creation_date) DESC NULLS LAST,
                coalesce(presented.account_id, ''),
                coalesce(presented.device_id, '')
        ) AS place
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = presented.receipt_id
    CROSS JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    WHERE receipt.verdict = 'trusted'
        AND purchase.expires_date IS NOT NULL
        AND coalesce(terms.ownership, 'PURCHASED') <> 'FAMILY_SHARED'
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(ranked.original_number AS TEXT) AS subscription_id,
    coalesce(ranked.account_id, ranked.device_id) AS owner,
    CASE WHEN ranked.account_id IS NOT NULL THEN 'account' ELSE 'device' END AS owner_kind,
    ranked.account_id,
    ranked.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', ranked.seen_ms / 1000, 'unixepoch') AS last_seen_at,
    ranked.app_id AS app_number
FROM ranked
JOIN app ON app.app_id = ranked.app_id
WHERE ranked.place = 1;
