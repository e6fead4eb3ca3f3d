-- One row per subscription: who may be written to about it. Of the owners who presented one of its purchases,
-- members' shares apart, an account before a device, of these the one seen last, then the least name.
-- A subscription that nobody with a name presented has no row.
--
-- Columns:
--   environment      –     attribute 0     as in purchases
--   bundle_id        –     attribute 2     as in purchases
--   subscription_id  –     attribute 1705  the original transaction
--   owner            –     line            as in app_owners
--   owner_kind       –     –               `account` or `device`
--   account_id       –     line            as in owner_contacts
--   device_id        –     line            as in owner_contacts
--   last_seen        time  line            when the owner presented a document of the app last
--   app_number       –     –               the app's number in this database alone, to count by
--   original_number  –     –               the original transaction, as the loader keeps it
CREATE VIEW subscription_contacts AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(known.original_number AS TEXT) AS subscription_id,
    coalesce(contact.account_id, contact.device_id) AS owner,
    CASE WHEN contact.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    contact.account_id,
    contact.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', known.seen_ms / 1000, 'unixepoch') AS last_seen,
    known.app_number,
    known.original_number
FROM horizons_by_number AS known
JOIN submission AS contact ON contact.submission_id = known.contact_number
JOIN app ON app.app_id = known.app_number;
