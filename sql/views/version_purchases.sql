-- One row per app version and day of purchase: the purchases counted under the
-- version of the receipt that states their state; copies that restores made and
-- free trials are left out. Counted by number before names are looked up.
--
-- Columns:
--   environment      –                attribute 0     as in purchases
--   bundle_id        –                attribute 2     as in purchases
--   app_version      –                attribute 3     version of the receipt that states the state
--   app_version_key  –                attribute 3     the same as text that sorts
--   purchase_day     days since 1970  attribute 1704  day of the purchase
--   purchases        –                –               transactions
--   refunds          –                attribute 1712  of these, those canceled, upgrades left out
CREATE VIEW version_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    version.version AS app_version,
    version.version_key AS app_version_key,
    counted.purchase_day,
    counted.purchases,
    counted.refunds
FROM version_purchases_by_number AS counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN version ON version.version_id = counted.app_version_id;
