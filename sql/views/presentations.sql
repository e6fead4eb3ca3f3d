-- One row per submission, with what its receipt states: the view for signals and reports about receipts. Columns ending
-- in _second are Unix seconds, for arithmetic.
--
-- app_check is computed when the view is read, so that a changed setting applies to all rows at once. An expiration
-- date is compared with the time of submission, or with the present time if the line states none.
--
-- Columns:
--   submission_id                     –                   –                `archive_id:line`; `archive_id:line.n` for
--                                                                          the n-th document of a line, n from 2
--   archive                           –                   –                name of the archive that has the line
--   line                              –                   –                number of the line in the archive, from 1
--   receipt_number                    –                   –                the receipt's number in this database alone
--   receipt_sha256                    –                   –                SHA-256 of the receipt
--   kind                              –                   –                kind of document, as in receipts
--   verdict                           –                   –                trusted, or why the document is not trusted;
--                                                                          see docs/trust.md
--   verdict_detail                    –                   –                reason for the verdict, if the receipt is
--                                                                          not trusted
--   environment                       –                   attribute 0      environment that the receipt states
--   bundle_id                         –                   attribute 2      bundle identifier of the app
--   app_version                       –                   attribute 3      version of the app that the receipt states
--   app_version_key                   –                   attribute 3      app_version as text that sorts
--   original_application_version      –                   attribute 19     original version of the app, which the
--                                                                          customer first obtained
--   original_application_version_key  –                   attribute 19     original_application_version as text that
--                                                                          sorts
--   original_purchase_date            time                attribute 18     when the customer first obtained the app
--   receipt_creation_date             time                attribute 12     when the store created the receipt
--   creation_second                   seconds since 1970  attribute 12     receipt_creation_date in Unix seconds
--   expiration_date                   time                attribute 21     end of a volume license
--   digest_algorithm                  –                   –                `sha1`, `sha256`, or the name of a refused
--                                                                          algorithm
--   lineage                           –                   attributes 4, 5  identifies the installation: attributes 4
--                                                                          and 5 in hexadecimal, joined by a hyphen;
--                                                                          null if either is absent
--   purchase_count                    –                   –                number of purchases in the receipt
--   device_id                         –                   line             device that the line names, as the line
--                                                                          writes it
--   device_key                        –                   –                the device in one notation of UUID or MAC
--                                                                          address; null if the line names no valid
--                                                                          identifier of a device
--   account_id                        –                   line             account that the line names, as the line
--                                                                          writes it
--   submitted_at                      time                line             time of submission that the line states;
--                                                                          null if it states none that can be read
--   submission_second                 seconds since 1970  line             submitted_at in Unix seconds
--   device_check                      –                   –                whether the receipt was made for this
--                                                                          device, see docs/trust.md
--   app_check                         –                   –                whether the app is among those configured:
--                                                                          expected, unexpected_bundle,
--                                                                          unexpected_version, expired (its volume
--                                                                          license), or not_configured (no setting
--                                                                          applies)
--   submission_number                 –                   –                the submission's number in this database
--                                                                          alone
CREATE VIEW presentations AS
SELECT
    lower(substr(hex(archive.sha256), 1, 16)) || ':' || submission.line
        || CASE WHEN submission.document > 1 THEN '.' || submission.document ELSE '' END AS submission_id,
    archive.name AS archive,
    submission.line,
    -- This number is valid in this database alone, for joins within it.
    submission.receipt_id AS receipt_number,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.kind,
    receipt.verdict,
    receipt.verdict_detail,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    app_version.version AS app_version,
    app_version.version_key AS app_version_key,
    original_version.version AS original_application_version,
    original_version.version_key AS original_application_version_key,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.original_purchase_date / 1000, 'unixepoch')
        AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch')
        AS receipt_creation_date,
    receipt.receipt_creation_date / 1000 AS creation_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.expiration_date / 1000, 'unixepoch') AS expiration_date,
    receipt.digest_algorithm,
    -- hex() turns null into an empty text, so null is excluded first.
    CASE
        WHEN receipt.opaque_value IS NOT NULL AND receipt.device_hash IS NOT NULL
            THEN lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash))
    END AS lineage,
    receipt.purchase_count,
    submission.device_id,
    submission.device_key,
    submission.account_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', submission.submitted_at / 1000, 'unixepoch') AS submitted_at,
    submission.submitted_at / 1000 AS submission_second,
    submission.device_check,
    CASE
        -- Renewal infos name no app, so theirs is not judged. Of signed documents, only app transactions state the
        -- version of the app, so that of others is not judged.
        WHEN setting.bundle_id IS NULL AND receipt.kind NOT IN ('signed_renewal', 'realtime_request') AND EXISTS (SELECT 1 FROM app_setting)
            THEN 'unexpected_bundle'
        WHEN receipt.kind NOT IN ('signed_transaction', 'signed_renewal', 'notification', 'realtime_request')
            AND EXISTS (SELECT 1 FROM app_expected_version AS published WHERE published.bundle_id = app.bundle_id)
            AND same_version.bundle_id IS NULL
            THEN 'unexpected_version'
        WHEN receipt.expiration_date
            <= coalesce(submission.submitted_at, CAST(strftime('%s', 'now') AS INTEGER) * 1000)
            THEN 'expired'
        WHEN setting.bundle_id IS NULL THEN 'not_configured'
        ELSE 'expected'
    END AS app_check,
    submission.submission_id AS submission_number
FROM internal_device_submissions AS submission
JOIN archive ON archive.archive_id = submission.archive_id
JOIN receipt ON receipt.receipt_id = submission.receipt_id
JOIN app ON app.app_id = receipt.app_id
LEFT JOIN version AS app_version ON app_version.version_id = receipt.app_version_id
LEFT JOIN version AS original_version
    ON original_version.version_id = receipt.original_application_version_id
LEFT JOIN (SELECT DISTINCT bundle_id FROM app_setting) AS setting ON setting.bundle_id = app.bundle_id
LEFT JOIN app_expected_version AS same_version
    ON same_version.bundle_id = app.bundle_id
    AND same_version.version = app_version.version;
