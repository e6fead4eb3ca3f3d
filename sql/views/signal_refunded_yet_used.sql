-- A receipt from before a refund, presented long after it: it does not show the
-- refund, and a server that believes it goes on giving. An upgrade also cancels,
-- but another product of the subscription begins within seconds; it is left out.
-- Innocent: an app that never refreshes its receipt and sends the old one on.
CREATE VIEW signal_refunded_yet_used AS
SELECT
    'refunded_yet_used' AS signal,
    'medium' AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    'refunded ' || strftime('%Y-%m-%dT%H:%M:%SZ', purchase.cancellation_date / 1000, 'unixepoch')
        || ', presented without it ' || presentations.submitted_at AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    NULL AS role,
    presentations.submission_number
FROM purchase
CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
-- A purchase always has its receipt. Outer joins stay where they stand, so that every engine has few rows before all
-- receipts join.
LEFT JOIN receipt AS source ON source.receipt_id = purchase.receipt_id
CROSS JOIN receipt
    ON receipt.receipt_id = receipt_purchase.receipt_id
    AND receipt.app_id = purchase.app_id
CROSS JOIN presentations ON presentations.receipt_number = receipt.receipt_id
WHERE purchase.cancellation_date IS NOT NULL
    AND coalesce(purchase.is_trial_period, 0) = 0
    AND receipt.verdict = 'trusted'
    AND receipt.receipt_id <> purchase.receipt_id
    -- One that states no creation date states one transaction and was made with it; of two such nobody knows which
    -- is the older.
    AND coalesce(receipt.receipt_creation_date, 0) < purchase.cancellation_date
    AND coalesce(receipt.receipt_creation_date, source.receipt_creation_date) IS NOT NULL
    AND presentations.submission_second > purchase.cancellation_date / 1000
        + 86400 * (SELECT value FROM signal_settings WHERE name = 'refund_reuse_days')
    AND purchase.purchase_id NOT IN (
        SELECT state.purchase_number FROM purchase_states AS state
        WHERE state.cancellation_ms IS NOT NULL
            AND state.is_upgraded = 1
    );
