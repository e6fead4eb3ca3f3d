-- What trusted documents state of a revocation: of each date that is stated, the newest document. The store may move a
-- revocation's date or take it back; the purchase's own cancellation says which one holds.
--
-- Grain: one row per app, transaction and second of the revocation
-- Key: transaction_id, app_id, revoked_ms
-- Kept: no
--
-- Columns:
--   transaction_id     ANY      –       the transaction's identifier, as the loader keeps it
--   app_id             INTEGER  –       app and environment, by the loader's number
--   revoked_ms         INTEGER  ms      the revocation, in whole seconds
--   revocation_reason  INTEGER  –       as in purchases
--   revocation_type    TEXT     –       as in purchases
--   is_withdrawal      INTEGER  0 or 1  1: a member's share was withdrawn, which is no refund
--   revoked_share      REAL     0 to 1  part of the price that was refunded
WITH stated AS (
    SELECT
        receipt_purchase.transaction_id, receipt.app_id,
        revocation.revocation_date - revocation.revocation_date % 1000 AS revoked_ms,
        revocation.revocation_reason, revocation.revocation_type, revocation.revoked_share,
        receipt.receipt_creation_date, receipt.sha256
    FROM revocation
    JOIN receipt ON receipt.receipt_id = revocation.receipt_id
    JOIN receipt_purchase ON receipt_purchase.receipt_id = revocation.receipt_id
    WHERE receipt.verdict = 'trusted'
),

ranked AS (
    SELECT
        stated.*,
        row_number() OVER (
            PARTITION BY app_id, transaction_id, revoked_ms ORDER BY receipt_creation_date DESC, sha256 DESC
        ) AS place
    FROM stated
)

SELECT
    ranked.transaction_id, ranked.app_id, ranked.revoked_ms, ranked.revocation_reason, ranked.revocation_type,
    CASE WHEN sharing.withdrawal IS NULL THEN 0 ELSE 1 END AS is_withdrawal,
    ranked.revoked_share
FROM ranked
LEFT JOIN model_sharing AS sharing ON sharing.withdrawal = ranked.revocation_type
WHERE ranked.place = 1
