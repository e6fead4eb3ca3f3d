-- The periods of terms_by_number with their kind and their end, by number: what subscription_terms shows with names.
--
-- Columns:
--   app_number           –                   –               the app's number in this database alone
--   original_number      –                   –               the original transaction, as the loader keeps it
--   purchase_number      –                   –               the purchase's number in this database alone
--   product_number       –                   –               the product's number in this database alone
--   next_product_number  –                   –               the same of the next period's product
--   kind                 –                   –               as in subscription_terms
--   start_second         seconds since 1970  attribute 1704  as in subscription_terms
--   expiry_second        seconds since 1970  attribute 1708  as in subscription_terms
--   cancellation_second  seconds since 1970  attribute 1712  as in subscription_terms
--   end_second           seconds since 1970  –               as in subscription_terms
--   next_start_second    seconds since 1970  attribute 1704  as in subscription_terms
--   is_upgraded          0 or 1              –               as in subscription_terms
CREATE VIEW bounded_terms AS
SELECT
    app_number,
    original_number,
    purchase_number,
    product_number,
    next_product_number,
    CASE
        WHEN is_trial_period = 1 THEN 'trial'
        WHEN is_in_intro_offer_period = 1 THEN 'introductory'
        ELSE 'paid'
    END AS kind,
    start_second,
    expiry_second,
    cancellation_second,
    max(
        start_second,
        min(
            min(expiry_second, coalesce(cancellation_second, expiry_second)),
            coalesce(next_start_second, expiry_second)
        )
    ) AS end_second,
    next_start_second,
    is_upgraded
FROM terms_by_number;
