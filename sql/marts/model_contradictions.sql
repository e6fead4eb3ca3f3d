-- Signed transactions that state another revocation than the one that counts; model_findings explains the kinds.
--
-- Grain: one row per transaction and kind of contradiction
-- Key: purchase_id, finding
-- Slice: purchase_id
-- Reference: purchase_id = purchase(purchase_id)
--
-- Columns:
--   purchase_id  INTEGER!  –          the transaction, by the loader's number
--   finding      TEXT!     –          contradicting_cancellation, contradicting_reason, contradicting_type or
--                                     contradicting_share
--   documents    INTEGER!  documents  number of signed transactions that contradict the revocation that counts
--   first_ms     INTEGER   ms         when the first signed transaction that contradicts the revocation that counts was
--                                     created
--   last_ms      INTEGER   ms         when the last signed transaction that contradicts the revocation that counts was
--                                     created
--   example      TEXT      –          what one of the contradicting signed transactions states
-- Only purchases that a signed transaction, or the document that counts, calls revoked.
WITH statements AS (
    SELECT
        purchase.purchase_id,
        purchase.cancellation_date AS canceled_ms,
        receipt.receipt_creation_date AS made_ms,
        revocation.revocation_date AS revoked_ms,
        revocation.revocation_reason,
        revocation.revocation_type,
        revocation.revoked_share,
        counted.revocation_reason AS counted_reason,
        counted.revocation_type AS counted_type,
        counted.revoked_share AS counted_share
    FROM purchase_terms AS terms
    JOIN purchase ON purchase.transaction_id = terms.transaction_id AND purchase.app_id = terms.app_id
    JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
    JOIN receipt
        ON receipt.receipt_id = stated.receipt_id
        AND receipt.app_id = purchase.app_id
        AND receipt.receipt_id <> purchase.receipt_id
    LEFT JOIN revocation ON revocation.receipt_id = receipt.receipt_id
    LEFT JOIN model_revocations AS counted
        ON counted.transaction_id = purchase.transaction_id
        AND counted.app_id = purchase.app_id
        AND counted.revoked_ms = revocation.revocation_date - revocation.revocation_date % 1000
    WHERE terms.verdict = 'trusted'
        AND receipt.verdict = 'trusted'
        AND receipt.kind = 'signed_transaction'
        AND (purchase.cancellation_date IS NOT NULL OR revocation.receipt_id IS NOT NULL)
),

contradictions AS (
    SELECT purchase_id, 'contradicting_cancellation' AS finding, made_ms,
        CASE WHEN revoked_ms IS NULL THEN 'none' ELSE 'another' END AS example
    FROM statements
    WHERE CASE
            WHEN revoked_ms IS NULL THEN made_ms > canceled_ms + 1000
            WHEN canceled_ms IS NULL THEN 1 = 1
            ELSE abs(revoked_ms - canceled_ms) > 1000
        END
    UNION ALL
    SELECT purchase_id, 'contradicting_reason', made_ms, CAST(revocation_reason AS VARCHAR(20))
    FROM statements
    WHERE revocation_reason <> counted_reason
    UNION ALL
    SELECT purchase_id, 'contradicting_type', made_ms, revocation_type
    FROM statements
    WHERE revocation_type <> counted_type
    UNION ALL
    SELECT purchase_id, 'contradicting_share', made_ms, CAST(revoked_share AS VARCHAR(20))
    FROM statements
    WHERE revoked_share <> counted_share
)

SELECT
    purchase_id,
    finding,
    count(*) AS documents,
    min(made_ms) AS first_ms,
    max(made_ms) AS last_ms,
    min(example) AS example
FROM contradictions
GROUP BY purchase_id, finding
