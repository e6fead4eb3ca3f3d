-- Owners of an app in an environment, counted by the version that they first got
-- and by the best of their purchases, as in owner_spending but without the days:
-- counting by number before names are looked up is what lets reports over all owners
-- answer fast.
--
-- Columns:
--   environment                       –       attribute 0   of the owners' receipts
--   bundle_id                         –       attribute 2   of the owners' receipts
--   original_application_version      –       attribute 19  as in app_owners
--   original_application_version_key  –       attribute 19  the same as text that sorts
--   era                               –       –             as in app_owners
--   best                              –       –             as in owner_spending
--   owners                            owners  –             how many
CREATE VIEW owner_standing AS
SELECT
    app.environment,
    app.bundle_id,
    version.version AS original_application_version,
    version.version_key AS original_application_version_key,
    counted.era,
    counted.best,
    counted.owners
FROM (
    SELECT app_number, version_number, era, best, sum(owners) AS owners
    FROM owners_by_number
    GROUP BY version_number, best, app_number, era
) AS counted
JOIN app_names AS app ON app.app_number = counted.app_number
LEFT JOIN version ON version.version_id = counted.version_number;
