-- One row per submission and receipt that is not trusted: the one submitted, or one
-- that stands inside it. The signals that tell of a verdict read it.
--
-- Columns:
--   receipt_sha256  –     –            the receipt that is not trusted
--   verdict         –     –            as in receipts
--   verdict_detail  –     –            why
--   environment     –     attribute 0  the receipt's
--   bundle_id       –     attribute 2  the receipt's
--   device_id       –     line         the device, as the line writes it
--   account_id      –     line         the account, as the line writes it
--   archive         –     –            name of the archive
--   line            –     –            line in it, from 1
--   submitted_at    time  line         when it was submitted
--   submission_number  –  –            as in presentations
--   kind            –     –            as in receipts
CREATE VIEW untrusted_presentations AS
SELECT
    receipt_sha256,
    verdict,
    verdict_detail,
    environment,
    bundle_id,
    device_id,
    account_id,
    archive,
    line,
    submitted_at,
    submission_number,
    kind
FROM presentations
WHERE verdict <> 'trusted' -- a partial index serves this
UNION ALL
SELECT
    lower(hex(part.sha256)) AS receipt_sha256,
    part.verdict,
    part.verdict_detail,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    submission.device_id,
    submission.account_id,
    archive.name AS archive,
    submission.line,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    submission.submission_id AS submission_number,
    part.kind
FROM receipt_part
JOIN receipt AS part ON part.receipt_id = receipt_part.part_receipt_id
JOIN app ON app.app_id = part.app_id
JOIN submission ON submission.receipt_id = receipt_part.receipt_id
JOIN archive ON archive.archive_id = submission.archive_id
WHERE part.verdict <> 'trusted';
