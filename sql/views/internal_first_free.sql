-- The first free version of an app, for each platform on which a document may state that the app was obtained. A
-- setting without a platform applies to all platforms. A document without a platform can be judged only if all settings
-- that may apply to it agree.
--
-- Columns:
--   bundle_id               –       bundle identifier of the app
--   platform                –       platform that a document states: ios, macos, tvos, visionos or other; mobile: not
--                                   macOS; empty if unknown
--   first_free_version_key  –       the version as text that sorts; null if none is set, or settings differ
--   is_told_apart           0 or 1  1: the settings of several platforms differ, and the document states no platform
CREATE VIEW internal_first_free AS
SELECT
    setting.bundle_id,
    told.platform,
    CASE
        WHEN min(coalesce(setting.first_free_version_key, '')) = max(coalesce(setting.first_free_version_key, ''))
            THEN min(setting.first_free_version_key)
    END AS first_free_version_key,
    CASE
        WHEN min(coalesce(setting.first_free_version_key, '')) = max(coalesce(setting.first_free_version_key, '')) THEN 0
        ELSE 1
    END AS is_told_apart
FROM (
    SELECT '' AS platform
    UNION ALL SELECT 'mobile'
    UNION ALL SELECT 'ios'
    UNION ALL SELECT 'macos'
    UNION ALL SELECT 'tvos'
    UNION ALL SELECT 'visionos'
    UNION ALL SELECT 'other'
) AS told
JOIN app_setting AS setting
    ON setting.platform IN ('', told.platform)
    OR told.platform = ''
    OR (told.platform = 'mobile' AND setting.platform <> 'macos')
GROUP BY setting.bundle_id, told.platform;
