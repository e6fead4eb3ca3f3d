-- One row per day on which periods of subscriptions ended and were not followed
-- at once: those that lapsed or were renewed late, counted by how late. Counting
-- by number before names are looked up is what lets reports over all periods
-- answer fast. Upgrades go on, and are left out.
--
-- Columns:
--   environment     –                attribute 0     as in purchases
--   bundle_id       –                attribute 2     as in purchases
--   product_id      –                attribute 1702  product of the periods that ended
--   end_day         days since 1970  –               day of the end
--   days_known      days             –               whole days from the end to the newest moment of `horizon`
--   pause_days      days             –               days until the next period began, begun ones counted whole; null
--                                                    where there is none
--   next_start_day  days since 1970  attribute 1704  day on which the next period began
--   is_canceled     0 or 1           attribute 1712  1: ended by a cancellation
--   periods         periods          –               how many
CREATE VIEW subscription_ends AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id,
    counted.end_day,
    counted.days_known,
    counted.pause_days,
    counted.next_start_day,
    counted.is_canceled,
    counted.periods
FROM (
    SELECT
        ended.app_number,
        ended.product_number,
        ended.end_day,
        (horizon.second - ended.end_second) / 86400 AS days_known,
        (ended.next_start_second - ended.end_second + 86399) / 86400 AS pause_days,
        ended.next_start_second / 86400 AS next_start_day,
        CASE WHEN ended.end_second < ended.expiry_second THEN 1 ELSE 0 END AS is_canceled,
        count(*) AS periods
    FROM (
        SELECT
            app_number, product_number, end_day, end_second, expiry_second, cancellation_second, next_start_second,
            is_upgraded
        FROM subscription_terms
        -- The limit keeps the next period from being looked up for every use of it.
        LIMIT -1
    ) AS ended
    CROSS JOIN horizon
    WHERE (ended.next_start_second IS NULL OR ended.next_start_second > ended.end_second)
        AND ended.end_second <= horizon.second
        AND ended.is_upgraded = 0
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 3, 4, 2, 5, 6, 7, 1
) AS counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN product ON product.product_number = counted.product_number;
