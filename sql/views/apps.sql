-- One row per app and environment that a trusted document names, and how far its documents reach in time. A run of a
-- report may hide the view by a table of the same name, with the apps that are asked for.
--
-- Columns:
--   app_id                  –     –            number of the app and environment in this database alone
--   environment             –     attribute 0  environment of the documents; `(none)` if none is stated
--   bundle_id               –     attribute 2  bundle identifier of the app; `(none)` if none is stated
--   horizon_ms              ms    –            when the newest trusted document was created
--   horizon_day             –     –            number of the local day on which the newest trusted document was
--                                              created, as in days
--   as_of                   time  –            when the newest trusted document was created, as text
--   complete_month          –     –            number of the last month that was over when the newest trusted document
--                                              was created, as in months
--   last_month              –     –            number of the month in which the newest trusted document was created, as
--                                              in months
--   first_notification_ms   ms    –            when the first notification that is no test was signed
--   newest_notification_ms  ms    –            when the newest notification that is no test was signed
CREATE VIEW apps AS
SELECT
    app.app_id,
    CASE WHEN app.environment = '' THEN '(none)' ELSE app.environment END AS environment,
    CASE WHEN app.bundle_id = '' THEN '(none)' ELSE app.bundle_id END AS bundle_id,
    app.horizon_ms,
    app.horizon_day,
    strftime('%Y-%m-%dT%H:%M:%SZ', app.horizon_ms / 1000, 'unixepoch') AS as_of,
    app.complete_month,
    app.last_month,
    app.first_notification_ms,
    app.newest_notification_ms
FROM model_apps AS app;
