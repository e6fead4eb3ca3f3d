-- One row per period with which a subscription went on, from its first paid or
-- introductory period: how many of these it had had by then, and until when it is
-- known how it went on. Periods that begin at the same moment are one. The row
-- without next_start_day is where the subscription stands; the others are where it
-- stood on a day of the past. Subscriptions that name no original are left out.
--
-- Columns:
--   environment       –                attribute 0     as in purchases
--   bundle_id         –                attribute 2     as in purchases
--   first_product_id  –                attribute 1702  product of the first period, trials included
--   first_paid_day    days since 1970  attribute 1704  day on which the first paid or introductory period began
--   paid_periods      periods          –               paid and introductory periods begun with this one, canceled ones
--                                                      among them
--   start_day         days since 1970  attribute 1704  day on which this period began
--   end_day           days since 1970  –               day on which it expires or was canceled
--   next_start_day    days since 1970  attribute 1704  day on which the next period began; null where there is none
--   days_known        days             –               whole days from the end until the subscription is known, as in
--                                                      `subscription_horizons`; -1 where nothing made since the end
--                                                      tells of it
--   days_past         days             –               whole days from the end to the app's newest document; -1 where
--                                                      the end is behind that
--   horizon_day       days since 1970  –               day of the app's newest document, as in `app_horizons`
CREATE VIEW subscription_cohorts AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id AS first_product_id,
    (placed.first_paid_ms + (SELECT ms FROM zone_offset)) / 86400000 AS first_paid_day,
    placed.paid_periods,
    (placed.start_ms + (SELECT ms FROM zone_offset)) / 86400000 AS start_day,
    (placed.end_ms + (SELECT ms FROM zone_offset)) / 86400000 AS end_day,
    (placed.next_start_ms + (SELECT ms FROM zone_offset)) / 86400000 AS next_start_day,
    CASE
        WHEN known.known_until_ms / 1000 >= placed.end_ms / 1000
            THEN (known.known_until_ms / 1000 - placed.end_ms / 1000) / 86400
        ELSE -1
    END AS days_known,
    CASE
        WHEN seen.second >= placed.end_ms / 1000 THEN (seen.second - placed.end_ms / 1000) / 86400
        ELSE -1
    END AS days_past,
    seen.day_number AS horizon_day
FROM cohorts_by_number AS placed
JOIN app ON app.app_id = placed.app_number
JOIN app_horizons AS seen ON seen.app_number = placed.app_number
CROSS JOIN subscription_horizons AS known
    ON known.original_number = placed.original_number
    AND known.app_number = placed.app_number
LEFT JOIN product ON product.product_number = placed.product_number;
