-- Periods of subscription_terms that no other follows at once, by number: the last one of each subscription, and
-- those before a pause. Upgrades go on, and are left out.
--
-- Columns:
--   app_number          –                   –  the app's number in this database alone
--   original_number     –                   –  the original transaction, as the loader keeps it
--   product_number      –                   –  the product's number in this database alone
--   end_second          seconds since 1970  –  as in subscription_terms
--   next_start_second   seconds since 1970  –  as in subscription_terms
--   is_canceled         0 or 1              –  1: ended before it expired
CREATE VIEW unfollowed_terms AS
SELECT
    app_number,
    original_number,
    product_number,
    end_second,
    next_start_second,
    CASE WHEN end_second < expiry_second THEN 1 ELSE 0 END AS is_canceled
FROM subscription_terms
WHERE is_upgraded = 0
    AND (next_start_second IS NULL OR next_start_second > end_second);
