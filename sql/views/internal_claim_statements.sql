-- One row per untrusted document and transaction that it states. The transaction's values are the latest in
-- claimed_purchases for its verdict and kind of document, even if this document is older.
--
-- Columns:
--   receipt_sha256           –       –                     SHA-256 of the document
--   verdict                  –       –                     trusted, or why the document is not trusted; see
--                                                          docs/trust.md
--   environment              –       attribute 0           environment that the receipts state
--   bundle_id                –       attribute 2           bundle identifier of the app
--   transaction_id           –       attribute 1703        the store's identifier of the transaction
--   original_transaction_id  –       attribute 1705        transaction that this one renews or restores
--   product_id               –       attribute 1702        product bought
--   product_type             –       attribute 1707        0 non-consumable, 1 consumable, 2 non-renewing subscription,
--                                                          3 auto-renewable subscription, −1 unknown
--   purchase_date            time    attribute 1704        when the product was bought or renewed
--   expires_date             time    attribute 1708        end of a subscription's period
--   cancellation_date        time    attribute 1712        when the purchase was refunded or revoked, or, in older
--                                                          data, upgraded to another product
--   is_trial_period          0 or 1  attribute 1713        1: a free trial
--   is_upgraded              0 or 1  `isUpgraded`          1: an upgrade to another product replaced the purchase
--   ownership                –       `inAppOwnershipType`  `PURCHASED`, or a member's share: `FAMILY_SHARED`, or
--                                                          `ASSIGNED` by an organization or group
--   transaction_reason       –       `transactionReason`   `PURCHASE` by the customer, or automatic `RENEWAL` by the
--                                                          store
--   is_latest                0 or 1  –                     1: the transaction's latest values come from this document
--   stated_cancellation      time    attribute 1712        always null: only internal_purchase_statements has a document's
--                                                          cancellation
--   revocation_reason        –       `revocationReason`    always null: only internal_purchase_statements has a document's
--                                                          revocation
--   revocation_type          –       `revocationType`      always null: only internal_purchase_statements has a document's
--                                                          revocation
--   revoked_share            –       `revocationPercentage`  always null: only internal_purchase_statements has a
--                                                            document's revocation
--   receipt_id               –       –                     the document's number in this database alone
--   purchase_id              –       –                     always null: what an untrusted document states has no row in
--                                                          purchases
CREATE VIEW internal_claim_statements AS
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
        CASE WHEN stated.cancellation_date >= 0 THEN stated.cancellation_date END / 1000, 'unixepoch') AS cancellation_date,
    stated.is_trial_period,
    terms.is_upgraded,
    terms.ownership,
    terms.transaction_reason,
    CASE WHEN stated.receipt_id = receipt.receipt_id THEN 1 ELSE 0 END AS is_latest,
    NULL AS stated_cancellation,
    CAST(NULL AS INTEGER) AS revocation_reason,
    CAST(NULL AS TEXT) AS revocation_type,
    CAST(NULL AS REAL) AS revoked_share,
    receipt.receipt_id,
    -- The column has no type, because purchase_id is an integer in SQLite and a text in Spark.
    NULL AS purchase_id
FROM receipt
JOIN app ON app.app_id = receipt.app_id
JOIN receipt_purchase ON receipt_purchase.receipt_id = receipt.receipt_id
JOIN claimed_purchase AS stated
    ON stated.transaction_id = receipt_purchase.transaction_id
    AND stated.app_id = receipt.app_id
    AND stated.verdict = receipt.verdict
    AND stated.kind = receipt.kind
LEFT JOIN product ON product.product_number = stated.product_number
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = stated.transaction_id
    AND terms.app_id = stated.app_id
    AND terms.verdict = stated.verdict
    AND stated.kind = 'signed_transaction'
WHERE receipt.verdict <> 'trusted';
