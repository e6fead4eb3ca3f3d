-- The rows of subscription_ends by number, without names.
--
-- Columns:
--   app_number      –                –  the app's number in this database alone
--   product_number  –                –  the product's number in this database alone
--   end_day         days since 1970  –  as in subscription_ends
--   days_known      days             –  as in subscription_ends
--   days_past       days             –  as in subscription_ends
--   horizon_day     days since 1970  –  as in subscription_ends
--   pause_days      days             –  as in subscription_ends
--   next_start_day  days since 1970  –  as in subscription_ends
--   is_canceled     0 or 1           –  as in subscription_ends
--   periods         periods          –  how many
CREATE VIEW ends_by_number AS
SELECT
    ended.app_number,
    ended.product_number,
    (ended.end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
    CASE
        WHEN known.known_until_ms / 1000 >= ended.end_second
            THEN (known.known_until_ms / 1000 - ended.end_second) / 86400
        ELSE -1
    END AS days_known,
    (seen.second - ended.end_second) / 86400 AS days_past,
    seen.day_number AS horizon_day,
    (ended.next_start_second - ended.end_second + 86399) / 86400 AS pause_days,
    (ended.next_start_second + (SELECT second FROM zone_offset)) / 86400 AS next_start_day,
    ended.is_canceled,
    count(*) AS periods
FROM unfollowed_terms AS ended
JOIN app_horizons AS seen ON seen.app_number = ended.app_number
CROSS JOIN subscription_horizons AS known
    ON known.original_number = ended.original_number
    AND known.app_number = ended.app_number
WHERE ended.end_second <= seen.second
-- The keys that differ most come first, which makes the sort cheaper.
GROUP BY 3, 4, 5, 2, 7, 8, 9, 6, 1;
