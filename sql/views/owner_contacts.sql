-- One row per owner of an app in an environment: by which account and device to reach
-- them, and when they were last seen. Owners as in app_owners; a document that stands
-- inside another is presented with that, and what another device than its own
-- presented proves nothing.
--
-- Columns:
--   environment   –                        attribute 0  of the owner's documents
--   bundle_id     –                        attribute 2  of the owner's documents
--   owner         –                        line         as in app_owners
--   owner_kind    –                        –            `account` or `device`
--   account_id    –                        line         the account, as the lines write it; null where none is known
--   device_id     –                        line         the device that the owner presented from last; null where none is
--                                                       known
--   last_seen     time                     line         when the owner presented a document last; of a line without a
--                                                       time, when the store created the document
--   last_seen_ms  milliseconds since 1970  line         the same as a number
--   app_number    –                        –            the app's number in this database alone, to count by
CREATE VIEW owner_contacts AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    reached.owner,
    contact.owner_kind,
    contact.account_id,
    contact.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', reached.seen_ms / 1000, 'unixepoch') AS last_seen,
    reached.seen_ms AS last_seen_ms,
    reached.app_number
FROM contacts_by_owner AS reached
JOIN contacts_by_number AS contact ON contact.contact_number = reached.contact_number
JOIN app ON app.app_id = reached.app_number;
