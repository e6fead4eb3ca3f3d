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
SELECT
    app_number,
    original_number,
    product_number,
    (first_paid_ms + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    paid_periods,
    end_ms / 1000 AS end_second
FROM cohorts_by_number
WHERE next_start_ms IS NULL;
