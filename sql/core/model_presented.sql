-- Which account or device presented which trusted document: each document of a line, and each document inside it. Lines
-- without account and device are left out, as are devices that the document was not made for, real-time requests, and
-- renewal infos, which name no app.
--
-- Grain: one row per document and submission that presents it
-- Key: receipt_id, submission_id
-- Kept: no
--
-- Columns:
--   receipt_id     INTEGER  –       the document, by the loader's number
--   submission_id  ANY      –       the submission, by the loader's number
--   app_id         INTEGER  –       the document's app and environment, by the loader's number
--   name           TEXT     –       name of the user: the account, else the device
--   is_device      INTEGER  0 or 1  1: the user is a device, because no account is named
--   is_proven      INTEGER  0 or 1  1: the document was presented on the device for which it was made
--   presented_ms   INTEGER  ms      when the document was submitted, else when it was created
--   listing_ms     INTEGER  ms      when the document was created, if it is an app receipt, which lists all purchases
--                                   of its owner; else null
SELECT
    receipt.receipt_id,
    submission.submission_id,
    receipt.app_id,
    coalesce(submission.account_id, submission.device_id) AS name,
    CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END AS is_device,
    CASE WHEN submission.device_check = 'match' THEN 1 ELSE 0 END AS is_proven,
    coalesce(submission.submitted_at, receipt.receipt_creation_date) AS presented_ms,
    CASE WHEN receipt.kind = 'app_receipt' THEN receipt.receipt_creation_date END AS listing_ms
FROM submission
JOIN receipt ON receipt.receipt_id = submission.receipt_id
WHERE submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    AND receipt.verdict = 'trusted'
    AND receipt.kind NOT IN ('signed_renewal', 'realtime_request')
UNION ALL
SELECT
    receipt.receipt_id,
    submission.submission_id,
    receipt.app_id,
    coalesce(submission.account_id, submission.device_id),
    CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END,
    CASE WHEN submission.device_check = 'match' THEN 1 ELSE 0 END,
    coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date),
    NULL
FROM receipt_part
JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
JOIN submission ON submission.receipt_id = receipt_part.receipt_id
WHERE submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    AND receipt.verdict = 'trusted'
    AND receipt.kind NOT IN ('signed_renewal', 'realtime_request')
