-- A trusted purchase that expired before it was made. The store signs both
-- dates, so this is its oddity or a forgery that was not found out. Restores of
-- 2013 and 2014 stated their own moment as the purchase date of each period and
-- left the period's begin as the original purchase date: that is no contradiction.
CREATE VIEW signal_expiry_before_purchase AS
SELECT
    'expiry_before_purchase' AS signal,
    'medium' AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    'bought ' || strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch')
        || ', expired ' || strftime('%Y-%m-%dT%H:%M:%SZ', purchase.expires_date / 1000, 'unixepoch') AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    NULL AS role,
    presentations.submission_number
FROM purchase
CROSS JOIN presentations ON presentations.receipt_number = purchase.receipt_id
WHERE purchase.expires_date < purchase.purchase_date
    AND NOT (
        coalesce(purchase.original_purchase_date, purchase.purchase_date) < purchase.expires_date
        AND purchase.purchase_date < 1420070400000
    );
