-- One row per owner of an app in an environment, with the era, paid or free, in which the owner first got the app. The
-- view owner_evidence names the receipt that shows it.
--
-- Columns:
--   environment                       –     attribute 0   environment of the owner's receipts
--   bundle_id                         –     attribute 2   bundle identifier of the app
--   owner                             –     line          the account, else the device, as the archive's lines write it
--   owner_kind                        –     –             what identifies the owner: `account` or `device`
--   original_application_version      –     attribute 19  the earliest original version of the app that the owner's
--                                                         receipts state
--   original_application_version_key  –     attribute 19  original_application_version as text that sorts
--   first_seen_at                     time  line          when the owner first presented a receipt
--   era                               –     –             paid: original_application_version is before the app's first
--                                                         free version; free: it is not; unknown: see reason in
--                                                         owner_evidence
CREATE VIEW app_owners AS
SELECT
    environment,
    bundle_id,
    owner,
    owner_kind,
    original_application_version,
    original_application_version_key,
    first_seen_at,
    era
FROM owner_evidence;
