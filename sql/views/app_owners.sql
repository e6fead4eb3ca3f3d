-- One row per owner of an app in an environment, and the era in which the app
-- was first got; owner_evidence says by which receipt.
--
-- Columns:
--   environment                       –     attribute 0   of the owner's receipts
--   bundle_id                         –     attribute 2   of the owner's receipts
--   owner                             –     line          account, else device, as the lines write it
--   owner_kind                        –     –             `account` or `device`
--   original_application_version      –     attribute 19  the earliest that the owner's receipts state
--   original_application_version_key  –     attribute 19  original_application_version as text that sorts
--   first_seen_at                     time  line          when the owner first presented a receipt
--   era                               –     –             paid: that version is before the app's first free version;
--                                                         free: it is not; unknown: see owner_evidence
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
