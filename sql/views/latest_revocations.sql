-- One row per transaction of one verdict and second of a revocation that its signed
-- transactions state: what the newest of these says of it. The store may move a
-- revocation's date, and take one back. Receipts state whole seconds of it.
--
-- Columns:
--   terms_id           –                        –                       number of the transaction's terms in this
--                                                                       database alone
--   revocation_second  seconds since 1970       `revocationDate`        the date
--   revocation_reason  –                        `revocationReason`      as in purchases
--   revocation_type    –                        `revocationType`        as in purchases
--   revoked_share      0 to 1                   `revocationPercentage`  as in purchases
CREATE VIEW latest_revocations AS
SELECT
    terms_id,
    revocation_second,
    revocation_reason,
    revocation_type,
    revoked_share
FROM (
    SELECT
        terms.terms_id,
        revocation.revocation_date / 1000 AS revocation_second,
        revocation.revocation_reason,
        revocation.revocation_type,
        revocation.revoked_share,
        row_number() OVER (
            PARTITION BY terms.terms_id, revocation.revocation_date / 1000
            ORDER BY receipt.receipt_creation_date DESC, receipt.sha256 DESC
        ) AS place
    FROM revocation
    CROSS JOIN receipt ON receipt.receipt_id = revocation.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = revocation.receipt_id
    CROSS JOIN purchase_terms AS terms
        ON terms.transaction_id = receipt_purchase.transaction_id
        AND terms.app_id = receipt.app_id
        AND terms.verdict = receipt.verdict
) AS stated
WHERE place = 1;
