-- fraud-case: The file of one case
-- What do the archives hold about one device, account, receipt or transaction?
--
-- Grain: one row per place
--
-- Parameters:
--   :case  text  required  device, account, SHA-256 of a receipt, identifier of a transaction, or an installation's
--                          lineage
--
-- Columns:
--   place           integer  place in the file: by time, then by event
--   at              time     when it happened; null where nothing states it
--   event           text     receipt: the store created it; purchase, refund: of a transaction in it; claim: of a
--                            transaction in a receipt that is not trusted, as that tells of it; submission: a
--                            line presented it; signal: evidence on that line
--   receipt_sha256  text     the receipt
--   transaction_id  text     the transaction; null where it is about none
--   device_id       text     the device that presented it
--   account_id      text     the account that did
--   detail          text     what there is to know of it, in words
--   archive         text     file of the line
--   line            integer  the line
--
-- Notes:
--   What is gathered: every receipt that the device or account presented, that is the
--   receipt named, or that tells of the transaction (or of its copies by restores);
--   then all submissions of these receipts, by whomever, their purchases and the
--   signals on their lines. Devices and accounts are compared as the lines write
--   them. What a receipt that is not trusted says is a claim.
--   No chart: a case is read event by event.
--
-- Example:
--   receiptmill report fraud-case 0A1B2C3D-0000-4000-8000-000000000001 --database mill.sqlite

WITH subject AS (
    SELECT receipt_sha256
    FROM submissions
    WHERE :case IN (device_id, account_id, receipt_sha256)
    UNION
    SELECT receipt_sha256
    FROM receipts
    WHERE lineage = :case
        AND verdict = 'trusted'
    UNION
    SELECT receipt_sha256
    FROM receipt_purchases
    WHERE transaction_id = :case
    UNION
    SELECT receipt_purchases.receipt_sha256
    FROM (
        SELECT environment, bundle_id, transaction_id FROM purchases WHERE original_transaction_id = :case
        UNION
        SELECT environment, bundle_id, transaction_id FROM claimed_purchases WHERE original_transaction_id = :case
    ) AS copy
    JOIN receipt_purchases
        ON receipt_purchases.transaction_id = copy.transaction_id
        AND coalesce(receipt_purchases.bundle_id, '') = coalesce(copy.bundle_id, '')
        AND coalesce(receipt_purchases.environment, '') = coalesce(copy.environment, '')
),

told AS (
    SELECT DISTINCT
        receipt_purchases.environment,
        receipt_purchases.bundle_id,
        receipt_purchases.transaction_id
    FROM subject
    JOIN receipt_purchases ON receipt_purchases.receipt_sha256 = subject.receipt_sha256
),

claimed AS (
    SELECT DISTINCT
        claimed_purchases.receipt_sha256,
        claimed_purchases.verdict,
        claimed_purchases.transaction_id,
        claimed_purchases.product_id,
        claimed_purchases.purchase_date,
        claimed_purchases.expires_date
    FROM subject
    JOIN receipts ON receipts.receipt_sha256 = subject.receipt_sha256
    JOIN receipt_purchases ON receipt_purchases.receipt_sha256 = subject.receipt_sha256
    JOIN claimed_purchases
        ON claimed_purchases.transaction_id = receipt_purchases.transaction_id
        AND claimed_purchases.verdict = receipts.verdict
        AND coalesce(claimed_purchases.bundle_id, '') = coalesce(receipt_purchases.bundle_id, '')
        AND coalesce(claimed_purchases.environment, '') = coalesce(receipt_purchases.environment, '')
),

bought AS (
    SELECT
        purchases.receipt_sha256,
        purchases.transaction_id,
        purchases.product_id,
        purchases.purchase_date,
        purchases.expires_date,
        purchases.cancellation_date
    FROM told
    JOIN purchases
        ON purchases.transaction_id = told.transaction_id
        AND coalesce(purchases.bundle_id, '') = coalesce(told.bundle_id, '')
        AND coalesce(purchases.environment, '') = coalesce(told.environment, '')
),

events AS (
    SELECT
        receipts.receipt_creation_date AS happened_at,
        1 AS kind,
        'receipt' AS event,
        receipts.receipt_sha256,
        NULL AS transaction_id,
        NULL AS device_id,
        NULL AS account_id,
        receipts.verdict || ', ' || coalesce(receipts.environment, 'no environment') || ', '
            || coalesce(receipts.bundle_id, 'no bundle') || ' ' || coalesce(receipts.app_version, '')
            || ', first got as ' || coalesce(receipts.original_application_version, 'unknown')
            || ', purchases: ' || CAST(receipts.purchase_count AS VARCHAR(20)) AS detail,
        NULL AS archive,
        NULL AS line
    FROM subject
    JOIN receipts ON receipts.receipt_sha256 = subject.receipt_sha256
    UNION ALL
    SELECT
        purchase_date, 0, 'purchase', receipt_sha256, transaction_id, NULL, NULL,
        coalesce(product_id, 'no product') || coalesce(', until ' || expires_date, ''), NULL, NULL
    FROM bought
    UNION ALL
    SELECT
        cancellation_date, 2, 'refund', receipt_sha256, transaction_id, NULL, NULL,
        coalesce(product_id, 'no product') || ', refunded or upgraded', NULL, NULL
    FROM bought
    WHERE cancellation_date IS NOT NULL
    UNION ALL
    SELECT
        purchase_date, 0, 'claim', receipt_sha256, transaction_id, NULL, NULL,
        verdict || ', claims ' || coalesce(product_id, 'no product') || coalesce(', until ' || expires_date, ''),
        NULL, NULL
    FROM claimed
    UNION ALL
    SELECT
        submissions.submitted_at, 3, 'submission', submissions.receipt_sha256, NULL,
        submissions.device_id, submissions.account_id,
        submissions.verdict || ', device ' || submissions.device_check || ', app ' || submissions.app_check,
        submissions.archive, submissions.line
    FROM subject
    JOIN submissions ON submissions.receipt_sha256 = subject.receipt_sha256
    UNION ALL
    SELECT
        fraud_signals.observed_at, 4, 'signal', fraud_signals.receipt_sha256, fraud_signals.transaction_id,
        fraud_signals.device_id, fraud_signals.account_id,
        fraud_signals.severity || ' ' || fraud_signals.signal || ': ' || coalesce(fraud_signals.detail, ''),
        fraud_signals.archive, fraud_signals.line
    FROM subject
    JOIN fraud_signals ON fraud_signals.receipt_sha256 = subject.receipt_sha256
)

SELECT
    row_number() OVER (
        ORDER BY
            coalesce(happened_at, ''), kind, coalesce(receipt_sha256, ''), coalesce(transaction_id, ''),
            coalesce(archive, ''), coalesce(line, 0), detail
    ) AS place,
    happened_at AS at,
    event,
    receipt_sha256,
    transaction_id,
    device_id,
    account_id,
    detail,
    archive,
    line
FROM events
ORDER BY 1;
