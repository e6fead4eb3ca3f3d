-- Owners of an app, counted by the version and month in which they first got it, by their best purchase, and by how
-- soon they first bought. Purchases that were revoked or free do not count as bought, nor do members' shares; a
-- purchase that a change replaced does.
--
-- Grain: one row per app, version, platform, month, and standing
-- Key: app_id, version_id, platform, got_month, is_first_seen, best, bought_within
-- Sums: owners
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id         INTEGER!  –       app and environment, by the loader's number
--   version_id     INTEGER!  –       the earliest original version that the owners' documents state, by the loader's
--                                    number; 0 if none is stated
--   platform       TEXT!     –       platform on which the app was obtained, as in model_users
--   got_month      INTEGER!  –       number of the month in which the owners got the app, by their documents, else in
--                                    which they were first seen; 0 if unknown
--   is_first_seen  INTEGER!  0 or 1  1: no document states when they got the app, so got_month is when they were first
--                                    seen
--   best           TEXT!     –       best purchase: bought; trial (only free trials and free offers); canceled (all was
--                                    revoked); none (nothing bought)
--   bought_within  INTEGER!  days    days from getting the app to the first purchase: -1: bought before; 7, 30 or 90:
--                                    within so many days; 0: later, never, or on an unknown day
--   owners         INTEGER!  owners  number of owners that this row counts
WITH standing AS (
    SELECT
        entitlement.user_id,
        max(CASE
            WHEN sale.canceled_ms IS NOT NULL AND (sale.is_change = 0 OR sale.refund_ms IS NOT NULL) THEN 1
            WHEN sale.is_paid = 0 THEN 2
            ELSE 3
        END) AS best,
        min(CASE
            WHEN sale.canceled_ms IS NOT NULL AND (sale.is_change = 0 OR sale.refund_ms IS NOT NULL) THEN NULL
            WHEN sale.is_paid = 0 THEN NULL
            ELSE sale.sold_day
        END) AS first_bought_day
    FROM model_entitlements AS entitlement
    JOIN model_sales AS sale ON sale.purchase_id = entitlement.purchase_id
    WHERE sale.is_shared = 0
        AND entitlement.user_id > 0
    GROUP BY entitlement.user_id
),

dated AS (
    SELECT
        users.app_id,
        coalesce(users.version_id, 0) AS version_id,
        users.platform,
        CASE WHEN users.installed_ms IS NULL THEN 1 ELSE 0 END AS is_first_seen,
        CASE
            WHEN coalesce(users.installed_ms, users.first_seen_ms) < got.midnight_ms THEN got.earlier_day
            ELSE got.later_day
        END AS got_day,
        standing.best,
        standing.first_bought_day
    FROM model_users AS users
    JOIN model_apps AS app ON app.app_id = users.app_id
    LEFT JOIN model_utc_days AS got
        ON got.utc_day = CAST(
            (coalesce(users.installed_ms, users.first_seen_ms) - coalesce(users.installed_ms, users.first_seen_ms) % 86400000)
            / 86400000 AS BIGINT)
    LEFT JOIN standing ON standing.user_id = users.user_id
),

judged AS (
    SELECT
        dated.app_id,
        dated.version_id,
        dated.platform,
        coalesce(day.month_number, 0) AS got_month,
        dated.is_first_seen,
        CASE dated.best WHEN 3 THEN 'bought' WHEN 2 THEN 'trial' WHEN 1 THEN 'canceled' ELSE 'none' END AS best,
        CASE
            WHEN dated.first_bought_day < dated.got_day THEN -1
            WHEN dated.first_bought_day <= dated.got_day + 7 THEN 7
            WHEN dated.first_bought_day <= dated.got_day + 30 THEN 30
            WHEN dated.first_bought_day <= dated.got_day + 90 THEN 90
            ELSE 0
        END AS bought_within
    FROM dated
    LEFT JOIN model_days AS day ON day.day_number = dated.got_day
)

SELECT app_id, version_id, platform, got_month, is_first_seen, best, bought_within, count(*) AS owners
FROM judged
GROUP BY app_id, version_id, platform, got_month, is_first_seen, best, bought_within
