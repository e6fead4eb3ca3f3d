-- The submissions as the loader keeps them, with device_key: the device's
-- identifier in one of the usual notations of a UUID or a MAC address, null for
-- what is no identifier. Base64 keeps a key of its own. An expression of its
-- own, not a column, because SQLite computes a generated column for every row
-- that it inserts.
--
-- Columns:
--   submission_id  –                        –     document, archive and line in one number
--   receipt_id     –                        –     the receipt's number in this database alone
--   device_id      –                        line  the device, as the line writes it
--   account_id     –                        line  the account, as the line writes it
--   submitted_at   milliseconds since 1970  line  when it was submitted
--   device_check   –                        –     as in submissions
--   archive_id     –                        –     the archive's number in this database alone
--   line           –                        –     line in the archive, from 1
--   document       –                        –     the n-th document of the line, from 1
--   device_key     –                        line  the device in one notation
CREATE VIEW model_device_submissions AS
SELECT
    submission_id,
    receipt_id,
    device_id,
    account_id,
    submitted_at,
    device_check,
    archive_id,
    line,
    document,
    CASE
        WHEN device_check = 'invalid_device_id' THEN NULL
        WHEN length(device_id) IN (8, 22, 24) THEN device_id
        ELSE lower(replace(replace(replace(device_id, '-', ''), ':', ''), '.', ''))
    END AS device_key
FROM submission;
