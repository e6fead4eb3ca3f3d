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
--   revocation_kind    –                        –                       what it is: `refund`, by a type of refunds, or
--                                                                       by a reason alone; `withdrawal`, of a type that
--                                                                       gives no money back; `unknown`, of a type that
--                                                                       is none of these, which counts as a refund;
--                                                                       null where neither type nor reason is told
--   revoked_share      0 to 1                   `revocationPercentage`  as in purchases
CREATE VIEW model_latest_revocations AS
SELECT
    terms_id,
    revocation_second,
    revocation_reason,
    revocation_type,
    CASE
        WHEN sharing.withdrawal IS NOT NULL THEN 'withdrawal'
        WHEN revocation_type IN ('REFUND_FULL', 'REFUND_PRORATED') THEN 'refund'
        WHEN revocation_type IS NOT NULL THEN 'unknown'
        WHEN revocation_reason IS NOT NULL THEN 'refund'
    END AS revocation_kind,
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
    CROSS JOIN receipt
    CROSS JOIN receipt_purchase
    CROSS JOIN purchase_terms AS terms
    WHERE receipt.receipt_id = revocation.receipt_id
        AND receipt_purchase.receipt_id = revocation.receipt_id
        AND terms.transaction_id = receipt_purchase.transaction_id
        AND terms.app_id = receipt.app_id
        AND terms.verdict = receipt.verdict
) AS stated
LEFT JOIN model_sharing AS sharing ON sharing.withdrawal = stated.revocation_type
WHERE place = 1;
