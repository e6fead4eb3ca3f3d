-- The owners of stale_contacts with their names.
--
-- Columns:
--   environment  –     attribute 0  of the owner's documents
--   bundle_id    –     attribute 2  of the owner's documents
--   owner        –     line         as in app_owners
--   owner_kind   –     –            `account` or `device`
--   last_seen    time  line         as in owner_contacts
CREATE VIEW stale_owners AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    contact.owner,
    contact.owner_kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', stale.seen_ms / 1000, 'unixepoch') AS last_seen
FROM stale_contacts AS stale
JOIN contacts_by_number AS contact ON contact.contact_number = stale.contact_number
JOIN app ON app.app_id = stale.app_number;
