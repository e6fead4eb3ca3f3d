-- Owners of an app, those of app_owners, each with the line by which to reach it, by number.
--
-- Columns:
--   app_number      –                        –     the app's number in this database alone
--   owner           –                        line  as in app_owners
--   is_device       0 or 1                   –     1: a device, without an account
--   contact_number  –                        line  number of a line in this database alone, as in contacts_by_number: the
--                                                  last with a device
--   seen_ms         milliseconds since 1970  line  when the owner presented a document of the app last
CREATE VIEW contacts_by_owner AS
SELECT app_number, owner, is_device, submission_number AS contact_number, seen_ms
FROM (
    SELECT
        app_number,
        owner,
        is_device,
        submission_number,
        max(presented_ms) OVER (PARTITION BY owner, is_device, app_number) AS seen_ms,
        row_number() OVER (
            PARTITION BY owner, is_device, app_number
            ORDER BY device_id IS NULL, presented_ms DESC NULLS LAST, device_id, submission_number
        ) AS place
    FROM owners_by_document
) AS placed
WHERE place = 1;
