-- One row per day on which periods of subscriptions ended and were not followed
-- at once: those that lapsed or were renewed late, counted by how late. Counting
-- by number before names are looked up is what lets reports over all periods
-- answer fast. Upgrades go on, and are left out.
--
-- Whether a period lapsed is known only where the subscription is known beyond its
-- end; how far it has to be is for the reader to say, as a number of days of grace.
--
-- Columns:
--   environment     –                attribute 0     as in purchases
--   bundle_id       –                attribute 2     as in purchases
--   product_id      –                attribute 1702  product of the periods that ended
--   end_day         days since 1970  –               day of the end
--   days_known      days             –               whole days from the end until the subscription is known, as in
--                                                    `subscription_horizons`; -1 where nothing made since the end tells
--                                                    of it
--   days_past       days             –               whole days from the end to the app's newest document, as in
--                                                    `app_horizons`
--   horizon_day     days since 1970  –               day of that document
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
    counted.days_past,
    counted.horizon_day,
    counted.pause_days,
    counted.next_start_day,
    counted.is_canceled,
    counted.periods
FROM (
    SELECT
        ended.app_number,
        ended.product_number,
        ended.end_day,
        CASE
            WHEN known.known_until_ms / 1000 >= ended.end_second
                THEN (known.known_until_ms / 1000 - ended.end_second) / 86400
            ELSE -1
        END AS days_known,
        (seen.second - ended.end_second) / 86400 AS days_past,
        seen.day_number AS horizon_day,
        (ended.next_start_second - ended.end_second + 86399) / 86400 AS pause_days,
        (ended.next_start_second + (SELECT second FROM zone_offset)) / 86400 AS next_start_day,
        CASE WHEN ended.end_second < ended.expiry_second THEN 1 ELSE 0 END AS is_canceled,
        count(*) AS periods
    FROM subscription_terms AS ended
    JOIN app_horizons AS seen ON seen.app_number = ended.app_number
    CROSS JOIN subscription_horizons AS known
        ON known.original_number = ended.original_number
        AND known.app_number = ended.app_number
    -- Most periods go on at once.
    WHERE (ended.next_start_second IS NULL OR ended.next_start_second > ended.end_second)
        AND ended.end_second <= seen.second
        AND ended.is_upgraded = 0
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 3, 4, 5, 2, 7, 8, 9, 6, 1
) AS counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN product ON product.product_number = counted.product_number;
