-- The submissions as the loader stores them, with device_key added: the identifier of the device in one notation,
-- whether the line writes it as a UUID or a MAC address, in upper or lower case, with or without separators. An
-- identifier in Base64 is kept as it is. device_key is computed here and not in a generated column, because SQLite
-- would compute that for every row that it inserts.
--
-- Columns:
--   submission_id  –                        –     number of the submission: document, archive and line in one number
--   receipt_id     –                        –     the receipt's number in this database alone
--   device_id      –                        line  device that the line names, as the line writes it
--   account_id     –                        line  account that the line names, as the line writes it
--   submitted_at   milliseconds since 1970  line  time of submission that the line states; null if it states none that
--                                                 can be read
--   device_check   –                        –     whether the document was made for this device, see docs/trust.md
--   archive_id     –                        –     the archive's number in this database alone
--   line           –                        –     number of the line in the archive, from 1
--   document       –                        –     number of the document within the line, from 1
--   device_key     –                        line  the device in one notation; null if the line names no valid
--                                                 identifier of a device
CREATE VIEW internal_device_submissions AS
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
