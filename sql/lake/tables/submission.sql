SELECT
    row_key(archive_sha256 || ':' || line || CASE WHEN document > 1 THEN '.' || document ELSE '' END) AS submission_id,
    receipt_key(receipt_sha256) AS receipt_id,
    device_id,
    account_id,
    submitted_at,
    device_check,
    -- Tags, which SQLite keeps in an index; a device's tag is that of its identifier in one notation.
    row_key(
        CASE
            WHEN length(device_id) IN (8, 22, 24) THEN device_id
            ELSE lower(replace(replace(replace(device_id, '-', ''), ':', ''), '.', ''))
        END
    ) AS device_tag,
    row_key(account_id) AS account_tag,
    row_key(archive_sha256) AS archive_id,
    line,
    -- Facts written by an earlier version have no document number: a line contained one document.
    coalesce(document, 1) AS document
FROM loaded_submissions
