-- One row per purchase of which a trusted document states a cancellation, and document
-- whose word on it is kept: every trusted signed transaction, and the document that
-- counts, whatever it is. What another receipt said of the cancellation is not kept.
--
-- Columns:
--   environment          –                   attribute 0             as in purchases
--   bundle_id            –                   attribute 2             as in purchases
--   transaction_id       –                   attribute 1703          the transaction
--   receipt_sha256       –                   –                       the document
--   kind                 –                   –                       as in receipts
--   creation_date        time                –                       when it was created; of a transaction receipt that
--                                                                    of its purchase
--   creation_second      seconds since 1970  –                       the same
--   cancellation_date    time                attribute 1712          cancellation that it states; null where it states
--                                                                    none
--   cancellation_second  seconds since 1970  attribute 1712          the same
--   revocation_reason    –                   `revocationReason`      as in purchases, by this document
--   revocation_type      –                   `revocationType`        as in purchases, by this document
--   revoked_share        0 to 1              `revocationPercentage`  as in purchases, by this document
--   is_latest            0 or 1              –                       1: the document that counts
--   purchase_number      –                   –                       the purchase's number in this database alone
CREATE VIEW cancellation_statements AS
WITH concerned AS (
    SELECT purchase_id, app_id, transaction_id, receipt_id, as_of, cancellation_date
    FROM purchase
    WHERE cancellation_date IS NOT NULL
    UNION
    SELECT
        purchase.purchase_id,
        purchase.app_id,
        purchase.transaction_id,
        purchase.receipt_id,
        purchase.as_of,
        purchase.cancellation_date
    FROM revocation
    CROSS JOIN receipt ON receipt.receipt_id = revocation.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = revocation.receipt_id
    CROSS JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
),

said AS (
    SELECT
        concerned.purchase_id,
        concerned.app_id,
        concerned.transaction_id,
        receipt.receipt_id,
        receipt.receipt_creation_date AS created_ms,
        revocation.revocation_date AS cancellation_ms,
        revocation.revocation_reason,
        revocation.revocation_type,
        revocation.revoked_share,
        CASE WHEN receipt.receipt_id = concerned.receipt_id THEN 1 ELSE 0 END AS is_latest
    FROM concerned
    -- Every signed transaction has terms: of the others no receipt need be looked up.
    CROSS JOIN purchase_terms AS terms
        ON terms.transaction_id = concerned.transaction_id
        AND terms.app_id = concerned.app_id
        AND terms.verdict = 'trusted'
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = concerned.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = concerned.app_id
    LEFT JOIN revocation ON revocation.receipt_id = receipt.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind = 'signed_transaction'
    UNION ALL
    SELECT
        concerned.purchase_id,
        concerned.app_id,
        concerned.transaction_id,
        receipt.receipt_id,
        coalesce(receipt.receipt_creation_date, concerned.as_of),
        concerned.cancellation_date,
        NULL,
        NULL,
        NULL,
        1
    FROM concerned
    CROSS JOIN receipt ON receipt.receipt_id = concerned.receipt_id
    WHERE receipt.kind <> 'signed_transaction'
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(said.transaction_id AS TEXT) AS transaction_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', said.created_ms / 1000, 'unixepoch') AS creation_date,
    said.created_ms / 1000 AS creation_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', said.cancellation_ms / 1000, 'unixepoch') AS cancellation_date,
    said.cancellation_ms / 1000 AS cancellation_second,
    said.revocation_reason,
    said.revocation_type,
    said.revoked_share,
    said.is_latest,
    said.purchase_id AS purchase_number
FROM said
JOIN receipt ON receipt.receipt_id = said.receipt_id
JOIN app ON app.app_id = said.app_id;
