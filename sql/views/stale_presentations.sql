-- One row per submission of a receipt that its device should refresh, and
-- reason; servers get notifications, which are left out: no_original_version, attribute 19 is absent, as before 2013-06-20;
-- hash_mismatch, made for another device, as after a move to a new one;
-- not_trusted, it fails verification; superseded, presented after a newer
-- receipt of its installation had been created.
--
-- Columns:
--   reason          –     –            no_original_version, hash_mismatch, not_trusted or superseded
--   environment     –     attribute 0  the receipt's
--   bundle_id       –     attribute 2  the receipt's
--   device_id       –     line         the device, as the line writes it
--   account_id      –     line         the account
--   submission_id   –     –            the submission
--   submitted_at    time  line         when it was submitted
--   receipt_sha256  –     –            the receipt
--   app_version     –     attribute 3  its version
CREATE VIEW stale_presentations AS
SELECT
    CASE stale.reason_code
        WHEN 1 THEN 'no_original_version'
        WHEN 2 THEN 'hash_mismatch'
        WHEN 3 THEN 'not_trusted'
        ELSE 'superseded'
    END AS reason,
    presentations.environment,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.submission_id,
    presentations.submitted_at,
    presentations.receipt_sha256,
    presentations.app_version
FROM stale_by_number AS stale
CROSS JOIN presentations ON presentations.submission_number = stale.submission_number;
