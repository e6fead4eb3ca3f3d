-- What trusted documents state about revocations: for each stated date, the newest document counts. The App Store may
-- change a revocation's date or reverse it; the cancellation date of the purchase shows which revocation holds.
--
-- Grain: one row per app, transaction and second of the revocation
-- Key: transaction_id, app_id, revoked_ms
-- Kept: no
--
-- Columns:
--   transaction_id     ANY      –       the transaction's identifier, as the loader keeps it
--   app_id             INTEGER  –       app and environment, by the loader's number
--   revoked_ms         INTEGER  ms      time of the revocation, in whole seconds
--   revocation_reason  INTEGER  –       `revocationReason`: 1 an issue of the app, 0 another
--   revocation_type    TEXT     –       `revocationType`, such as REFUND_FULL or FAMILY_REVOKE
--   is_withdrawal      INTEGER  0 or 1  1: a member's share was withdrawn, which is no refund
--   revoked_share      REAL     0 to 1  share of the price that was refunded
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
LEFT JOIN internal_sharing AS sharing ON sharing.withdrawal = ranked.revocation_type
WHERE ranked.place = 1
