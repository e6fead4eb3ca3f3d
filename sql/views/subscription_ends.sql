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
FROM ends_by_number AS counted
JOIN app ON app.app_id = counted.app_number
LEFT JOIN product ON product.product_number = counted.product_number;
