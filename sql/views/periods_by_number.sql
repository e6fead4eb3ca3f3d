-- The periods of priced_periods by number: what is worked out of the purchases, without names.
--
-- Columns:
--   app_number           –                   –               the app's number in this database alone
--   original_number      –                   –               the original transaction, as the loader keeps it
--   transaction_number   –                   –               the period's transaction, as the loader keeps it
--   product_number       –                   –               the product's number in this database alone
--   sale                 –                   –               as in priced_periods
--   price_source         –                   –               as in priced_purchases
--   price_milliunits     milliunits          –               as in priced_purchases
--   currency             –                   –               as in priced_purchases
--   billing_days         days                –               nominal length of what the price is paid for: 7, 30, 61, 91,
--                                                            182, 365; null where there is none
--   month_milliunits     milliunits          –               as in priced_periods
--   start_second         seconds since 1970  attribute 1704  as in priced_periods
--   expiry_second        seconds since 1970  attribute 1708  as in priced_periods
--   cancellation_second  seconds since 1970  attribute 1712  as in priced_periods
--   refund_second        seconds since 1970  –               as in priced_purchases
--   end_second           seconds since 1970  –               as in priced_periods
--   next_start_second    seconds since 1970  attribute 1704  as in priced_periods
--   is_upgraded          0 or 1              –               as in priced_purchases
--   transaction_reason   –                   –               as in purchases
CREATE VIEW periods_by_number AS
WITH billed AS (
    SELECT
        period.*,
        CASE
            WHEN period.sale IN ('full', 'free') OR period.offer_discount_type = 'PAY_AS_YOU_GO' THEN usual.nominal_days
            WHEN period.offer_discount_type = 'PAY_UP_FRONT' THEN CASE period.offer_period
                WHEN 'P1W' THEN 7
                WHEN 'P1M' THEN 30
                WHEN 'P2M' THEN 61
                WHEN 'P3M' THEN 91
                WHEN 'P6M' THEN 182
                WHEN 'P1Y' THEN 365
            END
        END AS told_days,
        (period.expiry_second - period.start_second + 43200) / 86400 AS days
    FROM sold_periods AS period
    LEFT JOIN usual_lengths AS usual
        ON usual.product_number = period.product_number
        AND usual.app_number = period.app_number
),

measured AS (
    SELECT
        billed.*,
        coalesce(
            told_days,
            CASE
                WHEN days < 3 THEN NULL
                WHEN days <= 14 THEN 7
                WHEN days <= 45 THEN 30
                WHEN days <= 75 THEN 61
                WHEN days <= 135 THEN 91
                WHEN days <= 270 THEN 182
                ELSE 365
            END
        ) AS billing_days
    FROM billed
)

SELECT
    app_number,
    original_number,
    transaction_number,
    product_number,
    sale,
    price_source,
    price_milliunits,
    currency,
    billing_days,
    CASE billing_days
        WHEN 7 THEN (price_milliunits * 26 + 3) / 6
        WHEN 30 THEN price_milliunits
        WHEN 61 THEN (price_milliunits + 1) / 2
        WHEN 91 THEN (price_milliunits * 2 + 3) / 6
        WHEN 182 THEN (price_milliunits + 3) / 6
        WHEN 365 THEN (price_milliunits + 6) / 12
    END AS month_milliunits,
    start_second,
    expiry_second,
    cancellation_second,
    refund_second,
    end_second,
    next_start_second,
    is_upgraded,
    transaction_reason
FROM measured;
