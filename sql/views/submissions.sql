-- One row per receipt in a line of an archive; a line may hold several. Receipts inside another receipt are in
-- receipt_parts.
--
-- Columns:
--   submission_id   –     –     `archive_id:line`; `archive_id:line.n` for the n-th receipt of a line, n from 2
--   archive         –     –     name of the archive that has the line
--   line            –     –     number of the line in the archive, from 1
--   receipt_sha256  –     –     SHA-256 of the receipt
--   verdict         –     –     trusted, or why the receipt is not trusted; see docs/trust.md
--   device_id       –     line  device that the line names, as the line writes it
--   account_id      –     line  account that the line names, as the line writes it
--   submitted_at    time  line  time of submission that the line states; null if it states none that can be read
--   device_check    –     –     whether the receipt was made for this device, see docs/trust.md
--   app_check       –     –     whether the app is among those configured: expected, unexpected_bundle,
--                               unexpected_version, expired (its volume license), or not_configured (no setting
--                               applies)
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
