SELECT
    archive_sha256 || ':' || line || CASE WHEN document > 1 THEN '.' || document ELSE '' END AS submission_id,
    receipt_key(receipt_sha256) AS receipt_id,
    device_id,
    account_id,
    submitted_at,
    device_check,
    -- What SQLite keeps in an index; here the identifiers do, a device in one notation.
    CASE
        WHEN length(device_id) IN (8, 22, 24) THEN device_id
        ELSE lower(replace(replace(replace(device_id, '-', ''), ':', ''), '.', ''))
    END AS device_tag,
    account_id AS account_tag,
    archive_sha256 AS archive_id,
    line,
    -- Facts that an earlier version wrote name none: a line held one.
    coalesce(document, 1) AS document
FROM loaded_submissions
