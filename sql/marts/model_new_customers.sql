-- New customers by the month in which they were first seen, and how soon they bought something and paid. First seen is
-- the original purchase of the app, else the first document; or the first transaction, if that is earlier. Users who
-- bought nothing count as customers, too.
--
-- Grain: one row per app, month first seen, days to the first purchase and payment, and days known
-- Key: app_id, month_number, bought_after_days, paid_after_days, bought_known_days, paid_known_days
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id             INTEGER!  –          app and environment, by the loader's number
--   month_number       INTEGER!  –          number of the month in which the customers were first seen
--   bought_after_days  INTEGER!  days       days from first seen to the first transaction, trials included, rounded up;
--                                           61: more than 60; 99999: none is known
--   paid_after_days    INTEGER!  days       days from first seen to the first payment, rounded up; 61: more than 60;
--                                           99999: none is known
--   bought_known_days  INTEGER!  days       whole days after first seen, at most 61, for which it is known whether they
--                                           bought anything, by their newest app receipt or by notifications; -1 if
--                                           unknown
--   paid_known_days    INTEGER!  days       whole days after first seen, at most 61, for which it is known whether they
--                                           paid; 61 for subscribers if it is known what followed each of their
--                                           subscriptions; -1 if unknown
--   customers          INTEGER!  customers  number of new customers, including users who bought nothing
WITH told AS (
    SELECT
        coalesce(payer.customer_id, -users.user_id) AS person,
        users.app_id,
        coalesce(users.installed_ms, users.first_created_ms, users.first_seen_ms) AS seen_ms,
        NULL AS bought_ms,
        NULL AS paid_ms,
        users.newest_listing_ms AS listed_ms,
        NULL AS subscribed_ms
    FROM model_users AS users
    LEFT JOIN model_user_customers AS payer ON payer.user_id = users.user_id
    UNION ALL
    SELECT customer_id, app_id, first_ms, first_ms, first_paid_ms, NULL, coalesce(known_ms, 9000000000000000)
    FROM model_customers
),

people AS (
    SELECT
        min(app_id) AS app_id,
        min(seen_ms) AS seen_ms,
        min(bought_ms) AS bought_ms,
        min(paid_ms) AS paid_ms,
        coalesce(max(listed_ms), -1) AS listed_ms,
        coalesce(max(subscribed_ms), -1) AS subscribed_ms
    FROM told
    GROUP BY person
),

known AS (
    SELECT
        people.app_id,
        people.seen_ms,
        people.bought_ms - people.seen_ms AS bought_after_ms,
        people.paid_ms - people.seen_ms AS paid_after_ms,
        CASE
            WHEN people.seen_ms >= app.first_notification_ms AND app.notified_ms > people.listed_ms THEN app.notified_ms
            ELSE people.listed_ms
        END - people.seen_ms AS listed_after_ms,
        people.subscribed_ms - people.seen_ms AS subscribed_after_ms,
        CASE WHEN people.seen_ms < day.midnight_ms THEN day.earlier_month ELSE day.later_month END AS month_number
    FROM people
    JOIN model_apps AS app ON app.app_id = people.app_id
    JOIN model_utc_days AS day ON day.utc_day = CAST((people.seen_ms - people.seen_ms % 86400000) / 86400000 AS BIGINT)
),

judged AS (
    SELECT
        app_id,
        month_number,
        CASE
            WHEN bought_after_ms IS NULL THEN 99999
            WHEN bought_after_ms > 5184000000 THEN 61
            ELSE CAST(floor(CAST(bought_after_ms + 86399999 AS DOUBLE) / 86400000) AS BIGINT)
        END AS bought_after_days,
        CASE
            WHEN paid_after_ms IS NULL THEN 99999
            WHEN paid_after_ms > 5184000000 THEN 61
            ELSE CAST(floor(CAST(paid_after_ms + 86399999 AS DOUBLE) / 86400000) AS BIGINT)
        END AS paid_after_days,
        CASE
            WHEN bought_after_ms IS NOT NULL OR listed_after_ms >= 5270400000 THEN 61
            WHEN listed_after_ms < 0 THEN -1
            ELSE CAST(floor(CAST(listed_after_ms AS DOUBLE) / 86400000) AS BIGINT)
        END AS bought_known_days,
        CASE
            WHEN paid_after_ms IS NOT NULL OR listed_after_ms >= 5270400000 OR subscribed_after_ms >= 5270400000 THEN 61
            WHEN listed_after_ms < 0 AND subscribed_after_ms < 0 THEN -1
            WHEN subscribed_after_ms > listed_after_ms THEN CAST(floor(CAST(subscribed_after_ms AS DOUBLE) / 86400000) AS BIGINT)
            ELSE CAST(floor(CAST(listed_after_ms AS DOUBLE) / 86400000) AS BIGINT)
        END AS paid_known_days
    FROM known
)

SELECT
    app_id,
    month_number,
    bought_after_days,
    paid_after_days,
    bought_known_days,
    paid_known_days,
    count(*) AS customers
FROM judged
GROUP BY app_id, month_number, bought_after_days, paid_after_days, bought_known_days, paid_known_days
