-- The revocations that signed transactions state: one row per transaction, verdict and second of the revocation, with
-- the values of the newest signed transaction that states it. The store may change the date of a revocation, or undo
-- the revocation. Dates are in whole seconds here, as receipts state them.
--
-- Columns:
--   terms_id           –                        –                       number of the transaction's terms in this
--                                                                       database alone
--   revocation_second  seconds since 1970       `revocationDate`        date of the revocation
--   revocation_reason  –                        `revocationReason`      reason for the cancellation: 1 an issue of the
--                                                                       app, 0 another
--   revocation_type    –                        `revocationType`        `REFUND_FULL` or `REFUND_PRORATED`; or, without
--                                                                       a refund, `FAMILY_REVOKE` or
--                                                                       `ASSIGNMENT_REVOKE`
--   revocation_kind    –                        –                       `refund`: the type is one of refunds, or only a
--                                                                       reason is stated; `withdrawal`: the type gives
--                                                                       no money back; `unknown`: another type, which
--                                                                       counts as a refund; null if neither type nor
--                                                                       reason is stated
--   revoked_share      0 to 1                   `revocationPercentage`  part of the price that was refunded
CREATE VIEW internal_latest_revocations AS
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
LEFT JOIN internal_sharing AS sharing ON sharing.withdrawal = stated.revocation_type
WHERE place = 1;
