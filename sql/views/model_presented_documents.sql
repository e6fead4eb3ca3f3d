-- One row per submission and document that stands in its line. Owners as in app_owners.
--
-- Columns:
--   environment        –     attribute 0               as in receipts
--   bundle_id          –     attribute 2               as in receipts; null for renewal infos, which name no app
--   owner              –     line                      account, else device; null if the line names neither
--   account_id         –     line                      as in submissions
--   device_id          –     line                      as in submissions
--   submitted_at       time  line                      as in submissions
--   device_check       –     line                      as in submissions, of the document that stands in the line
--   receipt_sha256     –     –                         the document
--   kind               –     –                         as in receipts
--   verdict            –     –                         as in receipts
--   created_at         time  attribute 12              when the store made it; null if it states no date
--   holder_sha256      –     –                         the document that holds it; null if it stands in the line
--   notification_type  –     `notificationType`        of a trusted notification, and of what stands in one
--   subtype            –     `subtype`                 of the same
--   archive            –     –                         as in submissions
--   line               –     –                         as in submissions
--   receipt_id         –     –                         the document's number in this database alone
CREATE VIEW model_presented_documents AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    coalesce(submission.account_id, submission.device_id) AS owner,
    submission.account_id,
    submission.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    submission.device_check,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.kind,
    receipt.verdict,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS created_at,
    NULL AS holder_sha256,
    notification.notification_type,
    notification.subtype,
    archive.name AS archive,
    submission.line,
    receipt.receipt_id
FROM receipt
JOIN submission ON submission.receipt_id = receipt.receipt_id
JOIN archive ON archive.archive_id = submission.archive_id
JOIN app ON app.app_id = receipt.app_id
LEFT JOIN notification ON notification.receipt_id = receipt.receipt_id;
