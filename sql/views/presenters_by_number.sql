-- Who presented which trusted document, by number: one row per submission and document that it presents, those that
-- stand inside others included. What another device than its own presented is left out, and so are renewal infos, which
-- name no app.
--
-- Columns:
--   receipt_number  –                        –     the document's number in this database alone
--   app_number      –                        –     the app's number in this database alone
--   contact_number  –                        line  number of the line by which to reach the owner in this database
--                                                  alone, the same for all that the owner presented of the app: the
--                                                  last with a device; null where the line names nobody
--   seen_ms         milliseconds since 1970  line  when that owner presented a document of the app last
CREATE VIEW presenters_by_number AS
SELECT
    receipt_id AS receipt_number,
    app_id AS app_number,
    CASE WHEN owner IS NOT NULL THEN first_value(submission_id) OVER whole END AS contact_number,
    CASE WHEN owner IS NOT NULL THEN max(presented_ms) OVER whole END AS seen_ms
FROM (
    SELECT
        submission.submission_id,
        submission.receipt_id,
        receipt.app_id,
        coalesce(submission.account_id, submission.device_id) AS owner,
        submission.account_id IS NULL AS is_device,
        submission.device_id,
        coalesce(submission.submitted_at, receipt.receipt_creation_date) AS presented_ms
    FROM submission
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_renewal'
    UNION ALL
    SELECT
        submission.submission_id,
        receipt.receipt_id,
        receipt.app_id,
        coalesce(submission.account_id, submission.device_id),
        submission.account_id IS NULL,
        submission.device_id,
        coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date)
    FROM receipt_part
    CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
    CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_renewal'
) AS presented
WINDOW whole AS (
    PARTITION BY owner, is_device, app_id
    ORDER BY device_id IS NULL, presented_ms DESC NULLS LAST, device_id, submission_id DESC
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
);
