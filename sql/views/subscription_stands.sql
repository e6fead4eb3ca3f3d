-- One row per subscription that had a paid or introductory period: where it stands, which is
-- the row of subscription_cohorts of its last period. Subscriptions that name no original
-- are left out.
--
-- Columns:
--   environment       –                   attribute 0     as in purchases
--   bundle_id         –                   attribute 2     as in purchases
--   first_product_id  –                   attribute 1702  product of the first period, trials included
--   first_paid_day    days since 1970     attribute 1704  day on which the first paid or introductory period began
--   paid_periods      periods             –               paid and introductory periods begun, canceled ones among them
--   end_second        seconds since 1970  –               moment at which the last period expires or was canceled
--   app_number        –                   –               the app's number in this database alone, to count by
--   product_number    –                   –               the same of the first product
--   original_number   –                   –               the original transaction, as the loader keeps it
CREATE VIEW subscription_stands AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id AS first_product_id,
    stand.first_paid_day,
    stand.paid_periods,
    stand.end_second,
    stand.app_number,
    stand.product_number,
    stand.original_number
FROM stands_by_number AS stand
JOIN app ON app.app_id = stand.app_number
LEFT JOIN product ON product.product_number = stand.product_number;
