-- The rows of subscription_stands by number, without names.
--
-- Columns:
--   app_number       –                   –               the app's number in this database alone
--   original_number  –                   –               the original transaction, as the loader keeps it
--   product_number   –                   –               number of the first period's product in this database alone
--   first_paid_day   days since 1970     attribute 1704  as in subscription_cohorts
--   paid_periods     periods             –               as in subscription_cohorts
--   end_second       seconds since 1970  –               as in subscription_stands
CREATE VIEW stands_by_number AS
WITH named AS (
    SELECT product_number, row_number() OVER (ORDER BY product_id) AS place FROM product
),

stood AS (
    SELECT
        app_number,
        original_number,
        -- The product of the least begin, and the greatest begin's end: one number holds the begin and what is asked
        -- of it. Seconds of the years 1 to 9999, and of 1970 to 2106.
        min((start_ms / 1000 + 62135596800) * 16777216 + product_place) % 16777216 AS place,
        max(
            min(max(start_ms / 1000, 0), 4294967295) * 2147483648 + min(end_ms / 1000 - start_ms / 1000, 2147483647)
        ) AS last_period,
        min(CASE WHEN is_paid = 1 THEN start_ms END) AS first_paid_ms,
        sum(is_paid) AS paid_periods
    FROM begins_by_number
    GROUP BY original_number, app_number
)

SELECT
    stood.app_number,
    stood.original_number,
    named.product_number,
    (stood.first_paid_ms + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    stood.paid_periods,
    stood.last_period / 2147483648 + stood.last_period % 2147483648 AS end_second
FROM stood
LEFT JOIN named ON named.place = stood.place
WHERE stood.paid_periods > 0;
