-- One row per day, app, owner, app version and source: the trusted documents that were
-- presented, those inside others included. An owner is known as in app_owners; null
-- where neither account nor device is known. Documents made for another device, and
-- renewal infos, which name no app, are left out.
--
-- Columns:
--   environment      –                attribute 0  as in receipts
--   bundle_id        –                attribute 2  as in receipts
--   owner            –                line         as in `app_owners`; null where none is known
--   owner_kind       –                –            `account`, `device` or `none`
--   source           –                –            `receipts`, or `signed` of signed data
--   is_notified      0 or 1           –            1: a notification, or inside one: a server was told, and no app
--                                                  presented it
--   app_version      –                attribute 3  version of the app; null where none is stated, as of transactions
--   app_version_key  –                attribute 3  the same as text that sorts
--   day_number       days since 1970  –            when it was presented, else created; null where neither is known
--   submissions      –                –            how many were presented; what stands inside another is none
CREATE VIEW source_days AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    counted.owner,
    counted.owner_kind,
    counted.source,
    counted.is_notified,
    app_version.version AS app_version,
    app_version.version_key AS app_version_key,
    counted.day_number,
    counted.submissions
FROM (
    SELECT
        app_number,
        owner,
        owner_kind,
        source,
        is_notified,
        version_number,
        day_number,
        sum(submissions) AS submissions
    FROM owner_sightings
    GROUP BY owner, day_number, app_number, version_number, source, is_notified, owner_kind
) AS counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN version AS app_version ON app_version.version_id = counted.version_number;
