-- A trusted purchase that was made after the receipt that states it had been
-- created. The store signs both dates, so this is its oddity or a forgery that
-- was not found out.
CREATE VIEW signal_purchase_after_creation AS
SELECT
    'purchase_after_creation' AS signal,
    'medium' AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    'bought ' || strftime('%Y-%m-%dT%H:%M:%SZ', purchase.purchase_date / 1000, 'unixepoch')
        || ', told of ' || presentations.receipt_creation_date AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    NULL AS role,
    presentations.submission_number
FROM purchase
CROSS JOIN presentations ON presentations.receipt_number = purchase.receipt_id
-- Thresholds are at least 0. What is no later at all is left out at the table, before presentations join.
WHERE purchase.purchase_date > purchase.as_of
    AND purchase.purchase_date > purchase.as_of
        + 1000 * (SELECT value FROM signal_settings WHERE name = 'clock_tolerance');
