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
    app_number,
    product_number,
    ended / 4398046511104 - 1000000 AS end_day,
    ended / 2097152 % 2097152 - 1000000 AS days_known,
    ended % 2097152 - 1000000 AS days_past,
    horizon_day,
    pause_days,
    next_start_day,
    is_canceled,
    count(*) AS periods
FROM (
    SELECT
        term.app_number,
        term.product_number,
        -- As in purchases_by_number: the end's day, days_known and days_past in one number, each from 0 to 2097151.
        (
            min(max((term.end_second + (SELECT second FROM zone_offset)) / 86400 + 1000000, 0), 2097151) * 2097152
            + CASE
                WHEN known.known_until_ms / 1000 >= term.end_second
                    THEN min((known.known_until_ms / 1000 - term.end_second) / 86400 + 1000000, 2097151)
                ELSE 999999
            END
        ) * 2097152
        + min((seen.second - term.end_second) / 86400 + 1000000, 2097151) AS ended,
        seen.day_number AS horizon_day,
        (term.next_start_second - term.end_second + 86399) / 86400 AS pause_days,
        (term.next_start_second + (SELECT second FROM zone_offset)) / 86400 AS next_start_day,
        term.is_canceled
    FROM unfollowed_terms AS term
    JOIN app_horizons AS seen ON seen.app_number = term.app_number
    CROSS JOIN subscription_horizons AS known
        ON known.original_number = term.original_number
        AND known.app_number = term.app_number
    WHERE term.end_second <= seen.second
    LIMIT -1
) AS counted
GROUP BY ended, product_number, pause_days, next_start_day, is_canceled, horizon_day, app_number;
