-- Documents of a slice (all that is tied to newly loaded lines):
-- - those that its lines present, the documents inside these, and the documents that contain these
-- - all that state one of its transactions, subscriptions or tokens
-- - receipts of the same installation, and app transactions created at the same moment
-- - those that shared something with one of these at the last refresh, by model_shared
--
-- Many documents may have the same subscription, installation, moment or shared thing. Each of these is looked up once,
-- because lookups for each document would make the cost quadratic.
--
-- Key: receipt_id
SELECT submission.receipt_id
FROM reached_submissions AS reached
CROSS JOIN submission ON submission.submission_id = reached.submission_id
UNION ALL
SELECT part.part_receipt_id
FROM reached_receipts AS reached
CROSS JOIN receipt_part AS part ON part.receipt_id = reached.receipt_id
UNION ALL
SELECT part.receipt_id
FROM reached_receipts AS reached
CROSS JOIN receipt_part AS part ON part.part_receipt_id = reached.receipt_id
UNION ALL
SELECT stated.receipt_id
FROM reached_purchases AS reached
CROSS JOIN purchase ON purchase.purchase_id = reached.purchase_id
CROSS JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
UNION ALL
SELECT renewal.receipt_id
FROM reached_originals AS reached
CROSS JOIN app ON app.app_id = reached.app_id
CROSS JOIN renewal
    ON renewal.original_transaction_id = reached.original_id
    AND renewal.environment = app.environment
UNION ALL
SELECT renewal.receipt_id
FROM (
    SELECT DISTINCT renewal.original_transaction_id
    FROM reached_receipts AS reached
    CROSS JOIN renewal ON renewal.receipt_id = reached.receipt_id
) AS own
CROSS JOIN renewal ON renewal.original_transaction_id = own.original_transaction_id
UNION ALL
SELECT renewal.receipt_id
FROM reached_tokens AS reached
CROSS JOIN renewal ON lower(renewal.app_account_token) = +reached.token
WHERE renewal.app_account_token IS NOT NULL
UNION ALL
SELECT lineage.receipt_id
FROM (
    SELECT DISTINCT substr(receipt.device_hash, 1, 6) AS hash_prefix
    FROM reached_receipts AS reached
    CROSS JOIN receipt ON receipt.receipt_id = reached.receipt_id
) AS own
CROSS JOIN receipt_lineage AS lineage ON lineage.hash_prefix = own.hash_prefix
UNION ALL
SELECT receipt.receipt_id
FROM (
    SELECT DISTINCT receipt.app_id, receipt.receipt_creation_date
    FROM reached_receipts AS reached
    CROSS JOIN receipt ON receipt.receipt_id = reached.receipt_id
    WHERE receipt.kind = 'app_transaction'
) AS own
CROSS JOIN receipt
    ON receipt.app_id = own.app_id
    AND receipt.receipt_creation_date IS own.receipt_creation_date
WHERE receipt.kind = 'app_transaction'
UNION ALL
SELECT other.receipt_id
FROM (
    SELECT DISTINCT shared.signal, shared.thing
    FROM reached_receipts AS reached
    CROSS JOIN model_shared AS shared ON shared.receipt_id = reached.receipt_id
) AS own
CROSS JOIN model_shared AS other ON other.signal = own.signal AND other.thing = own.thing
