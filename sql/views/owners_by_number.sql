-- The owners of owner_spending, counted by the version and the day that they first got, and by what they bought how soon:
-- what owner_standing and freemium-conversion count.
--
-- Columns:
--   app_number      –                –             the app's number in this database alone
--   version_number  –                attribute 19  number in this database alone of the version that they first got
--   era             –                –             as in app_owners
--   day_number      days since 1970  –             got_day of owner_spending, and where that is null first_seen_day
--   is_first_seen   0 or 1           –             1: the day is first_seen_day
--   best            –                –             as in owner_spending
--   bought_within   days             –             how soon after that day they first bought: 0 before it; 7, 30 or 90
--                                                  within so many days; null later, never, or where no date is known
--   owners          owners           –             how many
CREATE VIEW owners_by_number AS
WITH dated AS (
    SELECT
        app_number,
        version_place,
        best,
        CASE WHEN got_ms IS NULL THEN 1 ELSE 0 END AS is_first_seen,
        (coalesce(got_ms, first_seen_ms) + (SELECT ms FROM zone_offset)) / 86400000 AS day_number,
        first_bought_day - (coalesce(got_ms, first_seen_ms) + (SELECT ms FROM zone_offset)) / 86400000 AS days
    FROM spending_by_number
    -- The limit makes a row of what is sorted: without it, all that the days are worked out of is sorted along.
    LIMIT -1
),

counted AS (
    SELECT
        app_number,
        version_place,
        day_number,
        is_first_seen,
        best,
        CASE
            WHEN days < 0 THEN 0
            WHEN days <= 7 THEN 7
            WHEN days <= 30 THEN 30
            WHEN days <= 90 THEN 90
        END AS bought_within,
        count(*) AS owners
    FROM dated
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY day_number, version_place, best, bought_within, is_first_seen, app_number
)

SELECT
    counted.app_number,
    version.version_id AS version_number,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR version.version_key IS NULL THEN 'unknown'
        WHEN version.version_key < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era,
    counted.day_number,
    counted.is_first_seen,
    counted.best,
    counted.bought_within,
    counted.owners
FROM counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN version_places AS first_version ON first_version.version_place = counted.version_place
LEFT JOIN version ON version.version_id = first_version.version_number
LEFT JOIN app_setting AS setting ON setting.bundle_id = app.bundle_id;
