-- A trusted receipt of the sandbox for an app of which production receipts are
-- known. Innocent: TestFlight users and reviewers have sandbox receipts.
CREATE VIEW signal_sandbox_receipt AS
SELECT
    'sandbox_receipt' AS signal,
    'low' AS severity,
    nullif(app.bundle_id, '') AS bundle_id,
    submission.device_id,
    submission.account_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    NULL AS transaction_id,
    archive.name AS archive,
    submission.line,
    'environment ' || app.environment || ' among production receipts' AS detail,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS observed_at
FROM app
JOIN receipt USING (app_id)
JOIN submission USING (receipt_id)
JOIN archive USING (archive_id)
WHERE receipt.verdict = 'trusted'
    AND app.environment NOT IN ('Production', 'ProductionVPP')
    AND app.bundle_id IN (
        SELECT production.bundle_id
        FROM app AS production
        WHERE production.environment IN ('Production', 'ProductionVPP')
            -- Anyone can write a claim of production.
            AND EXISTS (
                SELECT 1 FROM receipt AS genuine
                WHERE genuine.app_id = production.app_id AND genuine.verdict = 'trusted'
            )
    );
