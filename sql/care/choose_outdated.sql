-- Lists in outdated_purchase and outdated_claim the rows whose source is a receipt of erased_receipt, each with the
-- newest remaining receipt that also states the purchase; null if there is none. Purchases of trusted receipts are one
-- table; claims are separated by verdict and kind.

DROP VIEW IF EXISTS temp.remaining_statement;
CREATE TEMP VIEW remaining_statement AS
SELECT
    link.transaction_id, receipt.app_id, receipt.verdict, receipt.kind, receipt.receipt_id,
    receipt.receipt_creation_date, receipt.sha256
FROM receipt_purchase AS link
JOIN receipt ON receipt.receipt_id = link.receipt_id
WHERE receipt.receipt_id NOT IN (SELECT receipt_id FROM temp.erased_receipt);

DROP TABLE IF EXISTS temp.outdated_purchase;
CREATE TEMP TABLE outdated_purchase AS
SELECT
    purchase_id,
    (
        SELECT other.receipt_id
        FROM temp.remaining_statement AS other
        WHERE other.transaction_id = stated.transaction_id AND other.app_id = stated.app_id
            AND other.verdict = 'trusted'
        ORDER BY other.receipt_creation_date DESC, other.sha256 DESC
        LIMIT 1
    ) AS next_id
FROM purchase AS stated
WHERE receipt_id IN (SELECT receipt_id FROM temp.erased_receipt);

DROP TABLE IF EXISTS temp.outdated_claim;
CREATE TEMP TABLE outdated_claim AS
SELECT
    purchase_id,
    (
        SELECT other.receipt_id
        FROM temp.remaining_statement AS other
        WHERE other.transaction_id = stated.transaction_id AND other.app_id = stated.app_id
            AND other.verdict = stated.verdict AND other.kind = stated.kind
        ORDER BY other.receipt_creation_date DESC, other.sha256 DESC
        LIMIT 1
    ) AS next_id
FROM claimed_purchase AS stated
WHERE receipt_id IN (SELECT receipt_id FROM temp.erased_receipt);
