-- One row per trusted document and transaction that it states, with what purchases tells of the transaction by now.
--
-- Columns:
--   receipt_sha256           –       –                     the document
--   verdict                  –       –                     its verdict
--   environment              –       attribute 0           as in purchases
--   bundle_id                –       attribute 2           as in purchases
--   transaction_id           –       attribute 1703        the transaction
--   original_transaction_id  –       attribute 1705        as in purchases
--   product_id               –       attribute 1702        as in purchases
--   product_type             –       attribute 1707        as in purchases
--   purchase_date            time    attribute 1704        as in purchases
--   expires_date             time    attribute 1708        as in purchases
--   cancellation_date        time    attribute 1712        as in purchases
--   is_trial_period          0 or 1  attribute 1713        as in purchases
--   is_upgraded              0 or 1  `isUpgraded`          as in purchases
--   ownership                –       `inAppOwnershipType`  as in purchases
--   transaction_reason       –       `transactionReason`   as in purchases
--   is_latest                0 or 1  –                     1: the document that counts
--   stated_cancellation      time    attribute 1712        the cancellation that this document states: a signed
--                                                          transaction its own, a receipt the one that counts, if it is
--                                                          the document that counts
--   revocation_reason        –       `revocationReason`    of that
--   revocation_type          –       `revocationType`      of that
--   revoked_share            –       `revocationPercentage`  of that, 0 to 1
--   receipt_id               –       –                     the document's number in this database alone
--   purchase_id              –       –                     the transaction's, likewise; null for a claim
CREATE VIEW model_purchase_statements AS
SELECT
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.verdict,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(stated.original_transaction_id AS TEXT) AS original_transaction_id,
    product.product_id,
    stated.product_type,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.purchase_date >= 0 THEN stated.purchase_date END / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.expires_date >= 0 THEN stated.expires_date END / 1000, 'unixepoch') AS expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stated.cancellation_date >= 0 THEN stated.cancellation_date END / 1000, 'unixepoch')
        AS cancellation_date,
    stated.is_trial_period,
    terms.is_upgraded,
    terms.ownership,
    terms.transaction_reason,
    CASE WHEN stated.receipt_id = receipt.receipt_id THEN 1 ELSE 0 END AS is_latest,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE
            WHEN receipt.kind = 'signed_transaction' THEN revocation.revocation_date
            WHEN stated.receipt_id = receipt.receipt_id THEN stated.cancellation_date
        END / 1000, 'unixepoch') AS stated_cancellation,
    revocation.revocation_reason,
    revocation.revocation_type,
    revocation.revoked_share,
    receipt.receipt_id,
    stated.purchase_id
FROM receipt
JOIN app ON app.app_id = receipt.app_id
JOIN receipt_purchase ON receipt_purchase.receipt_id = receipt.receipt_id
JOIN purchase AS stated
    ON stated.transaction_id = receipt_purchase.transaction_id
    AND stated.app_id = receipt.app_id
LEFT JOIN product ON product.product_number = stated.product_number
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN revocation ON revocation.receipt_id = receipt.receipt_id
WHERE receipt.verdict = 'trusted';
