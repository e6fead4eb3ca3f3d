-- One row per owner of an app in an environment, with the era and the best of
-- their purchases: 3 bought, 2 a free trial alone, 1 canceled all. Owners and eras
-- as in app_owners, without the evidence: what is counted needs none, and sorting
-- it takes as long as all else. Purchases are those that the owner presented, inside
-- other documents, too, and those of relayed_purchases.
--
-- Columns:
--   environment                       –                attribute 0   of the owner's receipts
--   bundle_id                         –                attribute 2   of the owner's receipts
--   owner                             –                line          as in app_owners
--   owner_kind                        –                –             account or device
--   original_application_version      –                attribute 19  as in app_owners
--   original_application_version_key  –                attribute 19  the same as text that sorts
--   first_seen_day                    days since 1970  –             day on which the owner first presented a receipt
--   got_day                           days since 1970  attribute 18  day on which the owner first got the app, the earliest
--                                                                    that the owner's receipts state; null where none of
--                                                                    2008 or later is stated
--   era                               –                –             as in app_owners
--   best                              –                –             3: a purchase neither canceled nor a free trial; 2:
--                                                                    a free trial, not canceled; 1: all canceled; null:
--                                                                    no purchase
--   first_bought_day                  days since 1970  –             day of the first purchase that is neither canceled
--                                                                    nor a free trial
CREATE VIEW owner_spending AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    owned.owner,
    CASE WHEN owned.is_device = 1 THEN 'device' ELSE 'account' END AS owner_kind,
    version.version AS original_application_version,
    version.version_key AS original_application_version_key,
    (owned.first_seen_ms + (SELECT ms FROM zone_offset)) / 86400000 AS first_seen_day,
    (owned.got_ms + (SELECT ms FROM zone_offset)) / 86400000 AS got_day,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR version.version_key IS NULL THEN 'unknown'
        WHEN version.version_key < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era,
    owned.best,
    owned.first_bought_day
FROM spending_by_number AS owned
JOIN app ON app.app_id = owned.app_number
LEFT JOIN version_places AS first_version ON first_version.version_place = owned.version_place
LEFT JOIN version ON version.version_id = first_version.version_number
LEFT JOIN app_setting AS setting ON setting.bundle_id = app.bundle_id;
