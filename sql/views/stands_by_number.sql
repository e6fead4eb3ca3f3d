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

-- What begins_by_number tells of each begin, of all begins at once: in the order of an index nothing is sorted.
stood AS (
    SELECT
        bought.app_id AS app_number,
        bought.original_transaction_id AS original_number,
        -- The product of the least begin, and the least length of the greatest: one number holds the begin and what is
        -- asked of it. Seconds of the years 1 to 9999, and of 1970 to 2106.
        min((bought.purchase_date / 1000 + 62135596800) * 16777216 + named.place) % 16777216 AS place,
        max(
            min(max(bought.purchase_date / 1000, 0), 4294967295) * 2147483648
            + 2147483647
            - min(
                max(coalesce(bought.cancellation_date, bought.expires_date) / 1000 - bought.purchase_date / 1000, 0),
                2147483647
            )
        ) AS last_period,
        min(CASE WHEN coalesce(bought.is_trial_period, 0) = 0 THEN bought.purchase_date END) AS first_paid_ms,
        count(DISTINCT CASE WHEN coalesce(bought.is_trial_period, 0) = 0 THEN bought.purchase_date END) AS paid_periods
    FROM unshared_purchases AS bought
    LEFT JOIN named ON named.product_number = bought.product_number
    WHERE bought.expires_date > bought.purchase_date
        AND bought.original_transaction_id IS NOT NULL
    GROUP BY bought.original_transaction_id, bought.app_id
)

SELECT
    stood.app_number,
    stood.original_number,
    named.product_number,
    (stood.first_paid_ms + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    stood.paid_periods,
    stood.last_period / 2147483648 + 2147483647 - stood.last_period % 2147483648 AS end_second
FROM stood
LEFT JOIN named ON named.place = stood.place
WHERE stood.paid_periods > 0;
