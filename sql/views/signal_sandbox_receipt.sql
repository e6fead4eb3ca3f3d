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
    submitted_at AS observed_at,
    environment,
    NULL AS role,
    submission_number
FROM presentations
WHERE verdict = 'trusted'
    AND environment NOT IN ('Production', 'ProductionVPP')
    AND receipt_number IN (
        SELECT receipt.receipt_id
        FROM receipt
        WHERE receipt.app_id IN (
            SELECT sandbox.app_id
            FROM app AS sandbox
            JOIN app AS production ON production.bundle_id = sandbox.bundle_id
            -- Of trusted ones: anyone can write a claim of production.
            JOIN newest_documents AS genuine ON genuine.app_number = production.app_id
            WHERE sandbox.bundle_id <> ''
                AND sandbox.environment NOT IN ('', 'Production', 'ProductionVPP')
                AND production.environment IN ('Production', 'ProductionVPP')
        )
    );
