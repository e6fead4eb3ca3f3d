-- Apps and environments that trusted documents name, and until when their documents reach. A report counts the apps of
-- this view; receiptmill report puts those before it that are asked.
--
-- Columns:
--   app_id          –     –  the app's number in this database alone
--   environment     –     –  environment, as documents state it; (none) where they state none
--   bundle_id       –     –  the app; (none) where documents state none
--   horizon_ms      ms    –  when the newest trusted document was created
--   as_of           time  –  the same as text
--   last_month      –     –  number of the month of that
--   complete_month  –     –  number of the last month that was over then
CREATE VIEW apps AS
SELECT
    model_apps.app_id,
    coalesce(nullif(model_apps.environment, ''), '(none)') AS environment,
    coalesce(nullif(model_apps.bundle_id, ''), '(none)') AS bundle_id,
    model_apps.horizon_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', model_apps.horizon_ms / 1000, 'unixepoch') AS as_of,
    model_apps.last_month,
    model_apps.complete_month
FROM model_apps;
