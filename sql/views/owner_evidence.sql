-- One row per owner of an app in an environment, with the evidence of when the owner first got the app. The owner is
-- the account, else the device, that presented a trusted document. A receipt whose hash belongs to another device
-- proves nothing about the one who presents it, and is left out.
--
-- If an owner's receipts state several original versions, the earliest counts, in the owner's favour; of the receipts
-- that state it, the one with the lowest digest is shown. If an owner has several platforms, a paid era takes
-- precedence over a free one.
--
-- The era is known for production receipts that state an original version, if the app's first free version is set; if
-- the receipt states the platform on which the app was obtained, it must be set for that platform. Otherwise reason
-- states why the era is unknown.
--
-- Columns:
--   environment                       –     attribute 0   environment of the owner's receipts
--   bundle_id                         –     attribute 2   bundle identifier of the app
--   owner                             –     line          the account, else the device, as the archive's lines write it
--   owner_kind                        –     –             what identifies the owner: `account` or `device`
--   original_application_version      –     attribute 19  the earliest original version of the app that the owner's
--                                                         receipts state
--   original_application_version_key  –     attribute 19  original_application_version as text that sorts
--   receipt_sha256                    –     –             SHA-256 of a receipt that states original_application_version
--   original_purchase_date            time  attribute 18  the earliest original purchase of the app, in 2008 or later,
--                                                         that the owner's receipts state
--   first_seen_at                     time  line          when the owner first presented a receipt
--   era                               –     –             paid: original_application_version is before the app's first
--                                                         free version; free: it is not; unknown: see reason
--   reason                            –     –             why the era is unknown: sandbox, before_2013_06_20,
--                                                         no_original_version, app_not_set, platform_not_set,
--                                                         platform_not_told, first_free_version_not_set; null if the
--                                                         era is known
--   original_purchase_ms              ms    attribute 18  original_purchase_date as a number
--   user_id                           –     –             the owner's number in this database alone
--   platform                          –     `originalPlatform`  platform on which the app was obtained: ios, macos,
--                                                         tvos, visionos or other, as an app transaction states; or, by
--                                                         the device hash of a receipt, macos or mobile (not macOS);
--                                                         null if unknown
--   app_id                            –     –             the app's number in this database alone, as in apps
CREATE VIEW owner_evidence AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    users.name AS owner,
    CASE WHEN users.is_device = 1 THEN 'device' ELSE 'account' END AS owner_kind,
    version.version AS original_application_version,
    version.version_key AS original_application_version_key,
    -- hex() turns null into an empty text, so null is excluded first.
    CASE WHEN users.version_sha256 IS NOT NULL THEN lower(hex(users.version_sha256)) END AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', users.installed_ms / 1000, 'unixepoch') AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', users.first_seen_ms / 1000, 'unixepoch') AS first_seen_at,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN free.first_free_version_key IS NULL OR version.version_key IS NULL THEN 'unknown'
        WHEN version.version_key < free.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'sandbox'
        WHEN version.version_key IS NULL AND users.first_created_ms < 1371686400000 THEN 'before_2013_06_20'
        WHEN version.version_key IS NULL THEN 'no_original_version'
        WHEN any_platform.bundle_id IS NULL THEN 'app_not_set'
        WHEN free.bundle_id IS NULL THEN 'platform_not_set'
        WHEN free.is_told_apart = 1 THEN 'platform_not_told'
        WHEN free.first_free_version_key IS NULL THEN 'first_free_version_not_set'
    END AS reason,
    users.installed_ms AS original_purchase_ms,
    users.user_id,
    nullif(users.platform, '') AS platform,
    users.app_id
FROM model_users AS users
JOIN app ON app.app_id = users.app_id
LEFT JOIN version ON version.version_id = users.version_id
LEFT JOIN internal_first_free AS free ON free.bundle_id = app.bundle_id AND free.platform = users.platform
LEFT JOIN internal_first_free AS any_platform ON any_platform.bundle_id = app.bundle_id AND any_platform.platform = '';
