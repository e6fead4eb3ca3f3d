-- One row per owner of an app in an environment, and the era in which the app
-- was first got; owner_evidence says by which receipt.
--
-- Columns:
--   environment                       –     attribute 0   of the owner's receipts
--   bundle_id                         –     attribute 2   of the owner's receipts
--   owner                             –     line          account, else device, as the lines write it
--   owner_kind                        –     –             `account` or `device`
--   original_application_version      –     attribute 19  the earliest that the owner's receipts state
--   original_application_version_key  –     attribute 19  the same as text that sorts
--   first_seen_at                     time  line          when the owner first presented a receipt
--   era                               –     –             paid: that version is before the app's first free version;
--                                                         free: it is not; unknown: see owner_evidence
CREATE VIEW app_owners AS
WITH place AS (
    SELECT version_id, version, version_key, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

-- As in owner_evidence, without what takes as long to sort as all else.
owned AS (
    SELECT
        document.app_number,
        document.owner,
        document.is_device,
        min(place.place) AS place,
        min(document.presented_ms) AS first_seen_ms
    FROM owners_by_document AS document
    LEFT JOIN place ON place.version_id = document.original_version_number
    GROUP BY document.owner, document.is_device, document.app_number
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    owned.owner,
    CASE WHEN owned.is_device = 1 THEN 'device' ELSE 'account' END AS owner_kind,
    first_version.version AS original_application_version,
    first_version.version_key AS original_application_version_key,
    strftime('%Y-%m-%dT%H:%M:%SZ', owned.first_seen_ms / 1000, 'unixepoch') AS first_seen_at,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR first_version.version_key IS NULL THEN 'unknown'
        WHEN first_version.version_key < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era
FROM owned
JOIN app ON app.app_id = owned.app_number
LEFT JOIN place AS first_version ON first_version.place = owned.place
LEFT JOIN app_setting AS setting ON setting.bundle_id = app.bundle_id;
