-- One row per subscription: until when it is known. The store tells of a renewal only
-- in a document made after it, so a period whose end nothing followed has lapsed only
-- where a document made since says so; else what became of it is unknown.
--
-- Known until is the latest of: when the newest document was made that states one of
-- its purchases or its renewal; when the newest one of an owner who presented one of
-- its purchases was, of the same app and environment; and when the app's newest
-- notification there was that holds a document, since an app that gets notifications is
-- told of renewals. Where a renewal info tells of a later period than any known, it is
-- known until before the last known one's end: what followed is not known. So it is where
-- the store signed that another product took the last one's place.
--
-- Columns:
--   environment      –                        attribute 0     as in purchases
--   bundle_id        –                        attribute 2     as in purchases
--   subscription_id  –                        attribute 1705  the original transaction
--   known_until_ms   milliseconds since 1970  –               until when it is known
--   app_number       –                        –               the app's number in this database alone, to count by
--   original_number  –                        –               the original transaction, as the loader keeps it
CREATE VIEW subscription_horizons AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(known.original_number AS TEXT) AS subscription_id,
    CASE
        WHEN newest.notified_ms > known.known_ms THEN min(newest.notified_ms, coalesce(known.bound_ms, newest.notified_ms))
        ELSE min(known.known_ms, coalesce(known.bound_ms, known.known_ms))
    END AS known_until_ms,
    known.app_number,
    known.original_number
FROM horizons_by_number AS known
JOIN newest_documents AS newest ON newest.app_number = known.app_number
JOIN app ON app.app_id = known.app_number;
