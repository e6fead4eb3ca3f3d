-- A trusted receipt of the sandbox for an app of which trusted production
-- receipts are known. Innocent: TestFlight users and reviewers.
CREATE VIEW signal_sandbox_receipt AS
SELECT
    'sandbox_receipt' AS signal,
    'low' AS severity,
    bundle_id,
    device_id,
    account_id,
    receipt_sha256,
    NULL AS transaction_id,
    archive,
    line,
    'environment ' || environment || ' among production receipts' AS detail,
    submitted_at AS observed_at
FROM presentations
WHERE verdict = 'trusted'
    AND environment NOT IN ('Production', 'ProductionVPP')
    AND bundle_id IN (
        SELECT production.bundle_id
        FROM app AS production
        WHERE production.environment IN ('Production', 'ProductionVPP')
            -- Anyone can write a claim of production.
            AND EXISTS (
                SELECT 1 FROM receipt AS genuine
                WHERE genuine.app_id = production.app_id AND genuine.verdict = 'trusted'
            )
    );
