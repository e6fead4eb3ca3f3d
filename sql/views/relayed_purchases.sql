-- One row per owner and purchase that somebody presented for them: a document without
-- account and device, as servers keep them, belongs to those who presented another
-- trusted document of the same environment, bundle and original transaction. What a
-- family shares belongs to those who presented a share of it, and never to the buyer.
--
-- Columns:
--   environment      –     attribute 0     as in purchases
--   bundle_id        –     attribute 2     as in purchases
--   owner            –     line            as in app_owners
--   owner_kind       –     –               `account` or `device`
--   transaction_id   –     attribute 1703  the transaction
--   app_number       –     –               the app's number in this database alone, to count by
--   purchase_number  –     –               the purchase's number in this database alone
CREATE VIEW relayed_purchases AS
WITH told AS (
    SELECT DISTINCT
        purchase.purchase_id,
        purchase.app_id,
        purchase.original_transaction_id,
        CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family
    FROM (
        SELECT receipt_id
        FROM submission
        WHERE account_id IS NULL AND device_id IS NULL
        UNION ALL
        SELECT receipt_part.part_receipt_id
        FROM receipt_part
        CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
        WHERE submission.account_id IS NULL AND submission.device_id IS NULL
    ) AS unnamed
    CROSS JOIN receipt ON receipt.receipt_id = unnamed.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = unnamed.receipt_id
    CROSS JOIN purchase
        ON purchase.app_id = receipt.app_id
        AND purchase.transaction_id = receipt_purchase.transaction_id
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    WHERE receipt.verdict = 'trusted'
        AND purchase.original_transaction_id IS NOT NULL
),

named AS (
    SELECT DISTINCT
        chain.app_id,
        chain.original_transaction_id,
        CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family,
        coalesce(submission.account_id, submission.device_id) AS owner,
        CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind
    FROM (SELECT DISTINCT app_id, original_transaction_id FROM told) AS chain
    CROSS JOIN purchase AS related
        ON related.original_transaction_id = chain.original_transaction_id
        AND related.app_id = chain.app_id
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = related.transaction_id
    -- Outer joins stay where they stand, so that every engine has few rows before all receipts join.
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = related.transaction_id
        AND terms.app_id = related.app_id
        AND terms.verdict = 'trusted'
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = related.app_id
    CROSS JOIN submission ON submission.receipt_id = receipt.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    named.owner,
    named.owner_kind,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    told.app_id AS app_number,
    told.purchase_id AS purchase_number
FROM told
CROSS JOIN named
    ON named.original_transaction_id = told.original_transaction_id
    AND named.app_id = told.app_id
    AND named.is_family = told.is_family
CROSS JOIN purchase ON purchase.purchase_id = told.purchase_id
CROSS JOIN app ON app.app_id = told.app_id;
