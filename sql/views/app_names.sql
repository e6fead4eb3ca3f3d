-- One row per app and environment: its names by its number, for reports that count by number.
--
-- Columns:
--   app_number   –  –            the app's number in this database alone
--   environment  –  attribute 0  as in purchases
--   bundle_id    –  attribute 2  as in purchases
CREATE VIEW app_names AS
SELECT
    app_id AS app_number,
    nullif(environment, '') AS environment,
    nullif(bundle_id, '') AS bundle_id
FROM app;
