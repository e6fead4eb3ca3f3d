-- Who presented which trusted document, by number, as in owner_sightings but without names. One row per submission that
-- names an owner and document that it presents: those that stand inside others, too, but none that another device than
-- its own presented.
--
-- Columns:
--   app_number               –                        –             the app's number in this database alone
--   owner                    –                        line          as in app_owners
--   is_device                0 or 1                   –             1: a device, without an account
--   device_id                –                        line          the line's device
--   submission_number        –                        –             the submission's number in this database alone
--   receipt_number           –                        –             the document's number in this database alone
--   original_version_number  –                        attribute 19  the version's number in this database alone
--   purchase_count           –                        attribute 17  purchases that the document lists
--   is_signed                0 or 1                   –             1: signed data; 0: a receipt
--   got_ms                   milliseconds since 1970  attribute 18  when the app was first got, as the document states it
--   created_ms               milliseconds since 1970  attribute 12  when the document was created
--   presented_ms             milliseconds since 1970  line          as in owner_sightings
CREATE VIEW owners_by_document AS
SELECT
    receipt.app_id AS app_number,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END AS is_device,
    submission.device_id,
    submission.submission_id AS submission_number,
    receipt.receipt_id AS receipt_number,
    receipt.original_application_version_id AS original_version_number,
    receipt.purchase_count,
    CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 0 ELSE 1 END AS is_signed,
    receipt.original_purchase_date AS got_ms,
    receipt.receipt_creation_date AS created_ms,
    coalesce(submission.submitted_at, receipt.receipt_creation_date) AS presented_ms
FROM submission
CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    AND receipt.verdict = 'trusted'
    -- Which names no app.
    AND receipt.kind <> 'signed_renewal'
UNION ALL
-- A document that stands inside another is presented with that.
SELECT
    receipt.app_id,
    coalesce(submission.account_id, submission.device_id),
    CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END,
    submission.device_id,
    submission.submission_id,
    receipt.receipt_id,
    receipt.original_application_version_id,
    receipt.purchase_count,
    CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 0 ELSE 1 END,
    receipt.original_purchase_date,
    receipt.receipt_creation_date,
    coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date)
FROM receipt_part
CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
WHERE submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    AND receipt.verdict = 'trusted'
    AND receipt.kind <> 'signed_renewal';
