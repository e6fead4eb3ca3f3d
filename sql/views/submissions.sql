-- One row per line of an archive that presented a receipt.
CREATE VIEW submissions AS
SELECT
    submission_id,
    archive,
    line,
    receipt_sha256,
    verdict,
    device_id,
    account_id,
    submitted_at,
    device_check,
    app_check
FROM presentations;
