-- One row per app and environment: how far the database sees. The newest moment at
-- which the store made a trusted document of the app there; unlike times of
-- submission, nobody else can write it. Reports that ask "as of when?" take it
-- unless given a day.
--
-- Renewal infos name no app: theirs is that of the subscription's purchases.
-- Transaction receipts state no date: theirs is that of the purchase.
--
-- Columns:
--   environment  –                        attribute 0  as in purchases
--   bundle_id    –                        attribute 2  as in purchases
--   day          day                      –            day of the newest document, of the database's time zone
--   day_number   days since 1970          –            the same as a number
--   second       seconds since 1970       –            its moment
--   ms           milliseconds since 1970  –            the same, exact
--   as_of        time                     –            the same, as reports show it
--   app_number   –                        –            the app's number in this database alone, to count by
CREATE VIEW app_horizons AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    newest_day.day,
    newest_day.day_number,
    newest.newest_ms / 1000 AS second,
    newest.newest_ms AS ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', newest.newest_ms / 1000, 'unixepoch') AS as_of,
    app.app_id AS app_number
FROM newest_documents AS newest
JOIN app ON app.app_id = newest.app_number
LEFT JOIN model_utc_days AS seen ON seen.utc_day = newest.newest_ms / 86400000
LEFT JOIN model_days AS newest_day
    ON newest_day.day_number = CASE WHEN newest.newest_ms < seen.midnight_ms THEN seen.earlier_day ELSE seen.later_day END
WHERE newest.newest_ms IS NOT NULL;
