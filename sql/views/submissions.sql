-- One row per receipt that stands in a line of an archive: a line may hold several.
-- What stands inside another receipt is in receipt_parts.
--
-- Columns:
--   submission_id   –     –     `archive_id:line`; `archive_id:line.n` of the n-th receipt of a line, n from 2
--   archive         –     –     name of the archive
--   line            –     –     line in it, from 1
--   receipt_sha256  –     –     the receipt
--   verdict         –     –     the receipt's, see trust
--   device_id       –     line  the device, as the line writes it
--   account_id      –     line  the account, as the line writes it
--   submitted_at    time  line  the line's time; null if it states none that can be read
--   device_check    –     –     whether the receipt was made for this device, see trust
--   app_check       –     –     whether the app is ours: not_configured, expected, unexpected_bundle,
--                               unexpected_version or expired
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
