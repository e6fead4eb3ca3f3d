-- The periods of periods_by_number as recurring revenue counts them: until their end, or that of their grace period.
--
-- Columns:
--   app_number          –                   –               the app's number in this database alone
--   original_number     –                   –               the original transaction, as the loader keeps it
--   transaction_number  –                   –               the period's transaction, as the loader keeps it
--   start_second        seconds since 1970  attribute 1704  moment of the begin
--   next_start_second   seconds since 1970  attribute 1704  begin of the next period; null where there is none
--   counted_until       seconds since 1970  –               moment of the end, that of its grace period included
--   start_day           days since 1970     attribute 1704  day of the begin
--   end_day             days since 1970     –               day of the end
--   counted_day         days since 1970     –               day of the end, that of its grace period included
--   is_upgraded         0 or 1              –               as in priced_purchases
--   is_free             0 or 1              –               1: a trial, or a price of 0
--   price_source        –                   –               as in priced_purchases; `none` where there is no price by the
--                                                           month
--   currency            –                   –               currency of the price; `(none)` where there is none
--   milliunits          milliunits          –               the price by the month; 0 where there is none
CREATE VIEW counted_periods AS
WITH graces AS (
    SELECT app_number, original_number, start_second, max(grace_second) AS grace_second
    FROM period_renewals
    WHERE grace_second IS NOT NULL
    GROUP BY original_number, app_number, start_second
),

periods AS (
    SELECT
        periods.app_number,
        periods.original_number,
        periods.transaction_number,
        periods.start_second,
        periods.next_start_second,
        periods.is_upgraded,
        CASE WHEN periods.sale = 'free' THEN 1 ELSE 0 END AS is_free,
        CASE WHEN periods.month_milliunits IS NULL THEN 'none' ELSE periods.price_source END AS price_source,
        CASE WHEN periods.month_milliunits IS NULL THEN '(none)' ELSE periods.currency END AS currency,
        coalesce(periods.month_milliunits, 0) AS milliunits,
        periods.end_second,
        CASE
            WHEN periods.end_second < periods.expiry_second OR graces.grace_second IS NULL
                OR graces.grace_second < periods.end_second
                THEN periods.end_second
            WHEN periods.next_start_second < graces.grace_second THEN periods.next_start_second
            ELSE graces.grace_second
        END AS counted_until
    FROM periods_by_number AS periods
    LEFT JOIN graces
        ON graces.original_number = periods.original_number
        AND graces.app_number = periods.app_number
        AND graces.start_second = periods.start_second
)

SELECT
    app_number,
    original_number,
    transaction_number,
    start_second,
    next_start_second,
    counted_until,
    (start_second + (SELECT second FROM zone_offset)) / 86400 AS start_day,
    (end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
    (counted_until + (SELECT second FROM zone_offset)) / 86400 AS counted_day,
    is_upgraded,
    is_free,
    price_source,
    currency,
    milliunits
FROM periods;
