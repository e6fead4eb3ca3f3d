-- The periods of subscription_terms, each with until when its subscription is known.
--
-- Columns:
--   environment          –                        attribute 0     as in purchases
--   bundle_id            –                        attribute 2     as in purchases
--   subscription_id      –                        attribute 1705  as in subscription_terms
--   product_id           –                        attribute 1702  as in subscription_terms
--   kind                 –                        –               as in subscription_terms
--   starts               time                     attribute 1704  as in subscription_terms
--   expires              time                     attribute 1708  as in subscription_terms
--   start_second         seconds since 1970       attribute 1704  as in subscription_terms
--   expiry_second        seconds since 1970       attribute 1708  as in subscription_terms
--   cancellation_second  seconds since 1970       attribute 1712  as in subscription_terms
--   end_second           seconds since 1970       –               as in subscription_terms
--   next_start_second    seconds since 1970       attribute 1704  as in subscription_terms
--   known_until_ms       milliseconds since 1970  –               as in subscription_horizons
--   app_number           –                        –               the app's number in this database alone, to count by
--   original_number      –                        –               the original transaction, as the loader keeps it
CREATE VIEW known_terms AS
SELECT
    terms.environment,
    terms.bundle_id,
    terms.subscription_id,
    terms.product_id,
    terms.kind,
    terms.starts,
    terms.expires,
    terms.start_second,
    terms.expiry_second,
    terms.cancellation_second,
    terms.end_second,
    terms.next_start_second,
    known.known_until_ms,
    terms.app_number,
    terms.original_number
FROM subscription_terms AS terms
CROSS JOIN subscription_horizons AS known
    ON known.original_number = terms.original_number
    AND known.app_number = terms.app_number;
