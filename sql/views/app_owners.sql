-- One row per owner of an app in an environment, and the era in which the app
-- was first got; owner_evidence says by which receipt.
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
