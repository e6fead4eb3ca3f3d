-- One row per submission, that is, per document in a line of an archive. internal_held_documents has the documents inside
-- these documents.
--
-- Columns:
--   environment        –     attribute 0               environment that the document states
--   bundle_id          –     attribute 2               bundle identifier of the app; null for renewal infos, which name
--                                                      no app
--   owner              –     line                      account, else device; null if the line names neither
--   account_id         –     line                      account that the line names, as the line writes it
--   device_id          –     line                      device that the line names, as the line writes it
--   submitted_at       time  line                      time of submission that the line states; null if it states none
--                                                      that can be read
--   device_check       –     line                      whether the document of the line was made for this device, see
--                                                      docs/trust.md
--   receipt_sha256     –     –                         SHA-256 of the document
--   kind               –     –                         kind of document, as in receipts
--   verdict            –     –                         trusted, or why the document is not trusted; see docs/trust.md
--   created_at         time  attribute 12              when the store created the document; null if it states no date
--   holder_sha256      –     –                         always null: the document is in the line itself
--   notification_type  –     `notificationType`        `notificationType` of the document, if it is a trusted
--                                                      notification; else null
--   subtype            –     `subtype`                 `subtype` of the document, if it is a trusted notification; else
--                                                      null
--   archive            –     –                         name of the archive that has the line
--   line               –     –                         number of the line in the archive, from 1
--   receipt_id         –     –                         the document's number in this database alone
CREATE VIEW internal_presented_documents AS
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
