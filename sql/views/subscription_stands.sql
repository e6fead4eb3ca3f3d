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
--   known_until_ms    milliseconds since 1970  –          until when it is known, as in subscription_horizons
--   horizon_second    seconds since 1970  –               moment of the app's newest document, as in app_horizons
--   horizon_day       days since 1970     –               day of the same
--   app_number        –                   –               the app's number in this database alone, to count by
--   product_number    –                   –               the same of the first product
--   original_number   –                   –               the original transaction, as the loader keeps it
CREATE VIEW subscription_stands AS
SELECT
    seen.environment,
    seen.bundle_id,
    product.product_id AS first_product_id,
    stand.first_paid_day,
    stand.paid_periods,
    stand.end_second,
    known.known_until_ms,
    seen.second AS horizon_second,
    seen.day_number AS horizon_day,
    stand.app_number,
    stand.product_number,
    stand.original_number
FROM stands_by_number AS stand
CROSS JOIN app_horizons AS seen ON seen.app_number = stand.app_number
CROSS JOIN subscription_horizons AS known
    ON known.original_number = stand.original_number
    AND known.app_number = stand.app_number
LEFT JOIN product ON product.product_number = stand.product_number;
