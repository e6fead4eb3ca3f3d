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
-- Of lengths as frequent the longer: what shifts a period mostly shortens it. Grouped, which lets SQLite look products
-- up instead of reading all of them for each period.
WITH usual AS (
    SELECT app_number, product_number, max(periods * 1000 + nominal_days) % 1000 AS nominal_days
    FROM lengths_by_number
    GROUP BY product_number, app_number
),

-- Few columns are put in order, since a sort of all takes three times as long.
ordered AS (
    SELECT
        purchase_number,
        start_second,
        next_start_second,
        max(
            start_second,
            min(
                min(expiry_second, coalesce(cancellation_second, expiry_second)),
                coalesce(next_start_second, expiry_second)
            )
        ) AS end_second
    FROM (
        SELECT
            bought.purchase_number,
            bought.purchase_date / 1000 AS start_second,
            bought.expires_date / 1000 AS expiry_second,
            bought.cancellation_date / 1000 AS cancellation_second,
            lead(bought.purchase_date / 1000) OVER (
                PARTITION BY coalesce(bought.original_transaction_id, bought.transaction_id), bought.app_id
                ORDER BY
                    bought.purchase_date / 1000,
                    bought.expires_date / 1000,
                    CAST(bought.transaction_id AS TEXT)
            ) AS next_start_second
        FROM unshared_purchases AS bought
        LEFT JOIN purchase_marks AS marks ON marks.purchase_number = bought.purchase_number
        WHERE coalesce(marks.is_restored, 0) = 0
            AND coalesce(bought.product_type, -1) NOT IN (0, 1, 2)
            AND bought.expires_date / 1000 > bought.purchase_date / 1000
    ) AS placed
),

billed AS (
    SELECT
        ordered.start_second,
        ordered.end_second,
        ordered.next_start_second,
        sold.app_number,
        sold.original_number,
        sold.transaction_number,
        sold.product_number,
        sold.sale,
        sold.price_source,
        sold.price_milliunits,
        sold.currency,
        sold.expiry_ms / 1000 AS expiry_second,
        sold.cancellation_ms / 1000 AS cancellation_second,
        sold.refund_ms / 1000 AS refund_second,
        sold.is_upgraded,
        sold.transaction_reason,
        CASE
            WHEN sold.sale IN ('full', 'free') OR sold.offer_discount_type = 'PAY_AS_YOU_GO' THEN usual.nominal_days
            WHEN sold.offer_discount_type = 'PAY_UP_FRONT' THEN CASE sold.offer_period
                WHEN 'P1W' THEN 7
                WHEN 'P1M' THEN 30
                WHEN 'P2M' THEN 61
                WHEN 'P3M' THEN 91
                WHEN 'P6M' THEN 182
                WHEN 'P1Y' THEN 365
            END
        END AS told_days,
        (sold.expiry_ms / 1000 - ordered.start_second + 43200) / 86400 AS days
    FROM ordered
    CROSS JOIN sales_by_number AS sold ON sold.purchase_number = ordered.purchase_number
    LEFT JOIN usual
        ON usual.product_number = sold.product_number
        AND usual.app_number = sold.app_number
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
