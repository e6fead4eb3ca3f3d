-- A trusted purchase that was made after the receipt that states it had been
-- created. The store signs both dates, so this is its oddity or a forgery that
-- was not found out.
CREATE VIEW signal_purchase_after_creation AS
WITH early AS MATERIALIZED (
    -- Thresholds are at least 0: most are left out without one.
    SELECT receipt_id, transaction_id, purchase_date
    FROM purchase
    WHERE purchase_date > as_of
        AND purchase_date > as_of + 1000 * (SELECT value FROM signal_settings WHERE name = 'clock_tolerance')
)

SELECT
    'purchase_after_creation' AS signal,
    'medium' AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(early.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    'bought ' || strftime('%Y-%m-%dT%H:%M:%SZ', early.purchase_date / 1000, 'unixepoch')
        || ', told of ' || presentations.receipt_creation_date AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    NULL AS role,
    presentations.submission_number
FROM early
CROSS JOIN presentations ON presentations.receipt_number = early.receipt_id;
