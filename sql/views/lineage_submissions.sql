-- One row per submission and submission of the same installation's receipts,
-- itself among them: who else presented this receipt or a refreshed copy of it.
-- Receipts of one installation of an app share opaque value and hash (their
-- lineage); those without either are left out, as are other_ submissions whose
-- receipt is not trusted.
--
-- device_key is the device's identifier in one notation. Reading this view with
-- neither a device check nor a receipt pairs everything with everything.
--
-- Columns:
--   submission_id         –     –            the submission
--   archive               –     –            its archive
--   line                  –     –            its line
--   environment           –     attribute 0  of its receipt
--   bundle_id             –     attribute 2  of its receipt
--   receipt_sha256        –     –            its receipt
--   verdict               –     –            of its receipt
--   purchase_count        –     –            of its receipt
--   device_id             –     line         its device
--   device_key            –     –            its device in one notation, UUID or MAC address; null for what is no
--                                            identifier
--   account_id            –     line         its account
--   submitted_at          time  line         its time
--   device_check          –     –            its device check
--   other_submission_id   –     –            another submission of the lineage, or itself
--   other_receipt_sha256  –     –            its receipt
--   other_device_id       –     line         its device
--   other_device_key      –     –            the same of the other device
--   other_account_id      –     line         its account
--   other_submitted_at    time  line         its time
--   other_device_check    –     –            its device check
CREATE VIEW lineage_submissions AS
SELECT
    lower(substr(hex(archive.sha256), 1, 16)) || ':' || submission.line
        || CASE WHEN submission.document > 1 THEN '.' || submission.document ELSE '' END AS submission_id,
    archive.name AS archive,
    submission.line,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.verdict,
    receipt.purchase_count,
    submission.device_id,
    submission.device_key,
    submission.account_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    submission.device_check,
    lower(substr(hex(other_archive.sha256), 1, 16)) || ':' || other.line
        || CASE WHEN other.document > 1 THEN '.' || other.document ELSE '' END AS other_submission_id,
    lower(hex(related.sha256)) AS other_receipt_sha256,
    other.device_id AS other_device_id,
    other.device_key AS other_device_key,
    other.account_id AS other_account_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', other.submitted_at / 1000, 'unixepoch') AS other_submitted_at,
    other.device_check AS other_device_check
FROM device_submissions AS submission
JOIN archive ON archive.archive_id = submission.archive_id
JOIN receipt ON receipt.receipt_id = submission.receipt_id
JOIN app ON app.app_id = receipt.app_id
JOIN receipt_lineage AS lineage ON lineage.hash_prefix = substr(receipt.device_hash, 1, 6)
JOIN receipt AS related
    ON related.receipt_id = lineage.receipt_id
    AND related.opaque_value = receipt.opaque_value
    AND related.device_hash = receipt.device_hash
    AND related.app_id = receipt.app_id
    AND related.verdict = 'trusted'
JOIN device_submissions AS other ON other.receipt_id = related.receipt_id
JOIN archive AS other_archive ON other_archive.archive_id = other.archive_id;
