-- The rows of subscription_lapses by number, without names.
--
-- Columns:
--   app_number         –                   –               the app's number in this database alone
--   original_number    –                   –               the original transaction, as the loader keeps it
--   product_number     –                   –               the product's number in this database alone
--   end_second         seconds since 1970  –               as in subscription_lapses
--   next_start_second  seconds since 1970  attribute 1704  as in subscription_lapses
--   is_free            0 or 1              –               as in subscription_lapses
--   is_refunded        0 or 1              –               as in subscription_lapses
--   is_told            0 or 1              –               as in subscription_lapses
--   cause              –                   –               as in subscription_lapses
CREATE VIEW lapses_by_number AS
-- One row for each period as it is; grouped, so that SQLite finds it by an index.
WITH told AS (
    SELECT
        app_number,
        original_number,
        start_second,
        -- What states a reason while the period runs tells of an end to come, which may be taken back.
        max(
            CASE
                WHEN expiration_intent IS NOT NULL AND coalesce(is_in_billing_retry, 0) = 0 THEN signed_second
            END
        ) AS told_second,
        max(
            CASE
                WHEN expiration_intent = 1 THEN 'voluntary'
                WHEN expiration_intent = 2 THEN 'billing'
                WHEN expiration_intent = 3 THEN 'price_increase'
                WHEN expiration_intent = 4 THEN 'product_gone'
                WHEN expiration_intent IS NOT NULL THEN 'other'
                WHEN is_in_billing_retry = 1 THEN 'billing'
                WHEN auto_renew_status = 0 THEN 'voluntary'
                ELSE 'cause_untold'
            END
        ) AS cause
    FROM period_renewals
    WHERE place = 1
    GROUP BY original_number, app_number, start_second
)

SELECT
    ended.app_number,
    ended.original_number,
    ended.product_number,
    ended.end_second,
    ended.next_start_second,
    CASE WHEN ended.sale = 'free' THEN 1 ELSE 0 END AS is_free,
    CASE WHEN ended.cancellation_second <= ended.end_second THEN 1 ELSE 0 END AS is_refunded,
    CASE WHEN told.told_second >= ended.end_second THEN 1 ELSE 0 END AS is_told,
    told.cause
FROM sold_periods AS ended
LEFT JOIN told
    ON told.original_number = ended.original_number
    AND told.app_number = ended.app_number
    AND told.start_second = ended.start_second
-- Most periods go on at once. An upgrade whose next period nobody knows went on, too.
WHERE (ended.next_start_second IS NULL OR ended.next_start_second > ended.end_second)
    AND (ended.next_start_second IS NOT NULL OR ended.is_upgraded = 0);
