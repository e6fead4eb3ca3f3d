-- A trusted receipt, or refreshed copies of it (one lineage), presented by more
-- than one device. One installation's receipts carry one hash, so at most one
-- of the devices is the receipt's own. Severity rises with the count: a new
-- identifier of the same device explains two, hardly five.
CREATE VIEW signal_shared_receipt AS
WITH shared AS (
    SELECT
        receipt.app_id,
        receipt.opaque_value,
        receipt.device_hash,
        count(DISTINCT submission.device_key) AS devices,
        count(DISTINCT receipt.receipt_id) AS receipts
    FROM receipt
    JOIN device_submissions AS submission USING (receipt_id)
    WHERE receipt.verdict = 'trusted'
        AND receipt.opaque_value IS NOT NULL
        AND receipt.device_hash IS NOT NULL
        AND submission.device_check <> 'server_issued'
    GROUP BY receipt.app_id, receipt.opaque_value, receipt.device_hash
    HAVING count(DISTINCT submission.device_key) > 1
)

SELECT
    'shared_receipt' AS signal,
    CASE WHEN shared.devices >= 5 THEN 'high' ELSE 'medium' END AS severity,
    nullif(app.bundle_id, '') AS bundle_id,
    submission.device_id,
    submission.account_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    NULL AS transaction_id,
    archive.name AS archive,
    submission.line,
    shared.devices || ' devices presented ' || shared.receipts
        || CASE shared.receipts WHEN 1 THEN ' receipt' ELSE ' receipts' END
        || ' of one installation' AS detail,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS observed_at
FROM shared
JOIN receipt USING (app_id, opaque_value, device_hash)
JOIN submission USING (receipt_id)
JOIN archive USING (archive_id)
JOIN app USING (app_id)
WHERE receipt.verdict = 'trusted'
    AND submission.device_id IS NOT NULL;
