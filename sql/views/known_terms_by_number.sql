-- The periods of known_terms by number, without names.
--
-- Columns:
--   app_number           –                        –               the app's number in this database alone
--   original_number      –                        –               the original transaction, as the loader keeps it
--   product_number       –                        –               the product's number in this database alone
--   kind                 –                        –               as in subscription_terms
--   start_second         seconds since 1970       attribute 1704  as in subscription_terms
--   expiry_second        seconds since 1970       attribute 1708  as in subscription_terms
--   cancellation_second  seconds since 1970       attribute 1712  as in subscription_terms
--   end_second           seconds since 1970       –               as in subscription_terms
--   next_start_second    seconds since 1970       –               as in subscription_terms
--   known_until_ms       milliseconds since 1970  –               as in subscription_horizons
CREATE VIEW known_terms_by_number AS
SELECT
    terms.app_number,
    terms.original_number,
    terms.product_number,
    terms.kind,
    terms.start_second,
    terms.expiry_second,
    terms.cancellation_second,
    terms.end_second,
    terms.next_start_second,
    known.known_until_ms
FROM bounded_terms AS terms
CROSS JOIN subscription_horizons AS known
    ON known.original_number = terms.original_number
    AND known.app_number = terms.app_number;
