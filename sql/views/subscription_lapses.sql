-- One row per period of a subscription, as in priced_periods, that nothing followed at once:
-- the subscription lapsed, or was renewed late. Upgrades went on, and are left out.
--
-- Whether it lapsed is known only where the subscription is known beyond the end, which
-- subscription_horizons tells; how far it has to be is for the reader to say.
--
-- Columns:
--   environment        –                   attribute 0     as in purchases
--   bundle_id          –                   attribute 2     as in purchases
--   product_id         –                   attribute 1702  product of the period
--   end_second         seconds since 1970  –               moment of the end
--   end_day            days since 1970     –               day of the same
--   next_start_second  seconds since 1970  attribute 1704  begin of the next period; null where there is none
--   is_free            0 or 1              –               1: the period was a trial, or cost nothing
--   is_refunded        0 or 1              attribute 1712  1: a cancellation ended it. What cost nothing has no refund, but
--                                                          may be revoked
--   is_told            0 or 1              –               1: the store said at its end or after it why it ended
--   cause              –                   –               what the period's last renewal info says: `voluntary`, `billing`,
--                                                          `price_increase`, `product_gone`, `other`, `cause_untold`; null
--                                                          where none is known
--   known_until_ms     milliseconds since 1970  –          until when the subscription is known, as in
--                                                          subscription_horizons
--   horizon_second     seconds since 1970  –               moment of the app's newest document, as in app_horizons
--   app_number         –                   –               the app's number in this database alone, to count by
--   product_number     –                   –               the same of the product
--   original_number    –                   –               the original transaction, as the loader keeps it
CREATE VIEW subscription_lapses AS
SELECT
    seen.environment,
    seen.bundle_id,
    product.product_id,
    ended.end_second,
    (ended.end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
    ended.next_start_second,
    ended.is_free,
    ended.is_refunded,
    ended.is_told,
    ended.cause,
    known.known_until_ms,
    seen.second AS horizon_second,
    ended.app_number,
    ended.product_number,
    ended.original_number
FROM lapses_by_number AS ended
CROSS JOIN app_horizons AS seen ON seen.app_number = ended.app_number
CROSS JOIN subscription_horizons AS known
    ON known.original_number = ended.original_number
    AND known.app_number = ended.app_number
LEFT JOIN product ON product.product_number = ended.product_number;
