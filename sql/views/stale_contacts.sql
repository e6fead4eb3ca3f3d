-- The owners of contacts_by_owner that a line of stale_by_number names: who may be asked to refresh a receipt.
--
-- Columns:
--   app_number      –                        –     as in contacts_by_owner
--   contact_number  –                        line  as in contacts_by_owner
--   seen_ms         milliseconds since 1970  line  as in contacts_by_owner
CREATE VIEW stale_contacts AS
SELECT app_number, contact_number, seen_ms
FROM contacts_by_owner
WHERE owner IN (
    SELECT contacts_by_number.owner
    FROM stale_by_number
    CROSS JOIN contacts_by_number ON contacts_by_number.contact_number = stale_by_number.submission_number
    WHERE contacts_by_number.owner IS NOT NULL
);
