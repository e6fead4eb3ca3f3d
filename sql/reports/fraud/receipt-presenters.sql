-- receipt-presenters: Who presented a receipt
-- Who else presented the receipts of a case, and which of them is the rightful holder?
--
-- Grain: one row per receipt_sha256, account_id, device_id, device_check
--
-- Parameters:
--   :case  text  required  SHA-256 of a receipt, device, account, identifier of a transaction, or an installation's
--                          lineage
--
-- Columns:
--   receipt_sha256  text                  the receipt
--   account_id      text                  account that presented it; null where the line names none
--   device_id       text                  device that did; null where the line names none
--   device_check    text                  match: the receipt was made for this device; mismatch: for another; else why
--                                         that can't be told
--   role            text                  holder: the device that it was made for, or an account seen there; copier:
--                                         another, where that one is known; unknown
--   verdict         text                  the receipt's
--   submissions     integer(submissions)  how often they presented it
--   first_at        time                  the first time; null where no line states one
--   last_at         time                  the last time
--
-- Notes:
--   Gathered are the receipts that fraud-case gathers, and the others of their installations: those
--   with the same opaque value and hash. Holder and copier are told over an installation's trusted
--   receipts together.
--   No chart: a receipt has few presenters.
--
-- Example:
--   receiptmill report receipt-presenters 0A1B2C3D-0000-4000-8000-000000000001 --database mill.sqlite

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

installation AS (
    SELECT DISTINCT presentations.lineage
    FROM subject
    JOIN presentations ON presentations.receipt_sha256 = subject.receipt_sha256
    WHERE presentations.verdict = 'trusted'
        AND presentations.lineage IS NOT NULL
),

presented AS (
    SELECT
        presentations.receipt_sha256,
        CASE
            WHEN presentations.verdict = 'trusted' THEN coalesce(presentations.lineage, presentations.receipt_sha256)
            ELSE presentations.receipt_sha256
        END AS thing,
        presentations.account_id,
        presentations.device_id,
        presentations.device_check,
        presentations.verdict,
        presentations.submitted_at
    FROM presentations
    LEFT JOIN subject ON subject.receipt_sha256 = presentations.receipt_sha256
    LEFT JOIN installation
        ON installation.lineage = presentations.lineage
        AND presentations.verdict = 'trusted'
    WHERE subject.receipt_sha256 IS NOT NULL
        OR installation.lineage IS NOT NULL
),

holder AS (
    SELECT DISTINCT thing, account_id
    FROM presented
    WHERE device_check = 'match'
        AND verdict = 'trusted'
),

bound AS (
    SELECT DISTINCT thing FROM holder
)

SELECT
    presented.receipt_sha256,
    presented.account_id,
    presented.device_id,
    presented.device_check,
    CASE
        WHEN presented.verdict <> 'trusted' THEN 'unknown'
        WHEN presented.device_check = 'match' OR holder.thing IS NOT NULL THEN 'holder'
        WHEN presented.device_check = 'mismatch' AND bound.thing IS NOT NULL THEN 'copier'
        ELSE 'unknown'
    END AS role,
    presented.verdict,
    count(*) AS submissions,
    min(presented.submitted_at) AS first_at,
    max(presented.submitted_at) AS last_at
FROM presented
LEFT JOIN bound ON bound.thing = presented.thing
LEFT JOIN holder ON holder.thing = presented.thing AND holder.account_id = presented.account_id
GROUP BY
    presented.receipt_sha256, presented.account_id, presented.device_id, presented.device_check,
    presented.verdict, holder.thing, bound.thing
ORDER BY
    presented.receipt_sha256,
    CASE presented.device_check WHEN 'match' THEN 0 ELSE 1 END,
    coalesce(min(presented.submitted_at), ''), coalesce(presented.account_id, ''),
    coalesce(presented.device_id, ''), presented.device_check;
