-- One row per period of an auto-renewable subscription: what was paid for it, how long
-- it ran, and what its price is by the month. Family members' shares are left out, copies
-- that restores made too, and periods that expire before they begin. A purchase of
-- unknown type that expires counts as a period.
--
-- The end is the expiration, the cancellation, or the begin of the next period,
-- whichever comes first, though never before the begin.
--
-- What a price is paid for: for the product's billing period, which is the nominal length
-- that most of its periods have; trials and introductory periods have no say. A period
-- that begins late, since billing was retried, is shorter than that and costs the
-- same. At an offer paid up front, or of unknown kind, it is the offer's length where the
-- store tells one, else the nominal length nearest to the period's own. Nominal are a
-- week (6 to 8 days), 1 month (27 to 32), 2 (58 to 63), 3 (88 to 93), 6 (179 to 185), and
-- a year (363 to 367). A period of less than 3 days and no such product has none.
--
-- Columns:
--   environment          –                   attribute 0      as in purchases
--   bundle_id            –                   attribute 2      as in purchases
--   subscription_id      –                   attribute 1705   the original transaction
--   transaction_id       –                   attribute 1703   the period's transaction
--   product_id           –                   attribute 1702   product of the period
--   sale                 –                   –                as in priced_purchases; `free`: a trial, or a price of 0
--   price_source         –                   –                as in priced_purchases
--   price_milliunits     milliunits          –                as in priced_purchases
--   currency             –                   –                as in priced_purchases
--   billing_period       –                   –                what the price is paid for: `P1W`, `P1M`, `P2M`, `P3M`,
--                                                             `P6M`, `P1Y`; null where there is none
--   month_milliunits     milliunits          –                the price by the month, half of a milliunit upwards: of a
--                                                             week 52/12 of it, of a year 1/12
--   start_second         seconds since 1970  attribute 1704   moment of the begin
--   start_day            days since 1970     attribute 1704   day of the begin
--   expiry_second        seconds since 1970  attribute 1708   moment of the expiration
--   cancellation_second  seconds since 1970  attribute 1712   moment of the cancellation
--   refund_second        seconds since 1970  –                as in priced_purchases
--   end_second           seconds since 1970  –                moment of the end
--   end_day              days since 1970     –                day of the same
--   next_start_second    seconds since 1970  attribute 1704   begin of the next period; null where there is none
--   expires              time                attribute 1708   its expiration
--   next_starts          time                attribute 1704   begin of the next period
--   is_upgraded          0 or 1              –                as in priced_purchases
--   transaction_reason   –                   –                as in purchases
--   app_number           –                   –                the app's number in this database alone, to count by
CREATE VIEW priced_periods AS
WITH counted AS (
    SELECT app_id, product_number, nominal_days, count(*) AS periods
    FROM (
        SELECT
            app_id,
            product_number,
            CASE
                WHEN (expires_date - purchase_date + 43200000) / 86400000 BETWEEN 6 AND 8 THEN 7
                WHEN (expires_date - purchase_date + 43200000) / 86400000 BETWEEN 27 AND 32 THEN 30
                WHEN (expires_date - purchase_date + 43200000) / 86400000 BETWEEN 58 AND 63 THEN 61
                WHEN (expires_date - purchase_date + 43200000) / 86400000 BETWEEN 88 AND 93 THEN 91
                WHEN (expires_date - purchase_date + 43200000) / 86400000 BETWEEN 179 AND 185 THEN 182
                WHEN (expires_date - purchase_date + 43200000) / 86400000 BETWEEN 363 AND 367 THEN 365
            END AS nominal_days
        FROM purchase
        WHERE expires_date > purchase_date
            AND coalesce(is_trial_period, 0) = 0
            AND coalesce(is_in_intro_offer_period, 0) = 0
    ) AS measured
    WHERE nominal_days IS NOT NULL
    GROUP BY app_id, product_number, nominal_days
),

-- Of lengths as frequent the longer: what shifts a period mostly shortens it.
usual AS (
    SELECT app_id, product_number, nominal_days
    FROM (
        SELECT
            app_id,
            product_number,
            nominal_days,
            row_number() OVER (PARTITION BY app_id, product_number ORDER BY periods DESC, nominal_days DESC) AS place
        FROM counted
    ) AS ranked
    WHERE place = 1
),

placed AS (
    SELECT
        priced.environment,
        priced.bundle_id,
        priced.transaction_id,
        priced.original_transaction_id,
        priced.product_id,
        priced.purchase_second,
        priced.purchase_day,
        priced.expiry_second,
        priced.cancellation_second,
        priced.price_source,
        priced.price_milliunits,
        priced.currency,
        priced.sale,
        priced.is_upgraded,
        priced.refund_second,
        priced.offer_discount_type,
        priced.offer_period,
        priced.transaction_reason,
        priced.app_number,
        (priced.expiry_second - priced.purchase_second + 43200) / 86400 AS days,
        lead(priced.purchase_second) OVER (
            PARTITION BY priced.app_number, priced.original_transaction_id
            ORDER BY priced.purchase_second, priced.expiry_second, priced.transaction_id
        ) AS next_start_second
    FROM priced_purchases AS priced
    WHERE priced.expiry_second > priced.purchase_second
        AND priced.sale <> 'family'
        AND coalesce(priced.product_type, -1) NOT IN (0, 1, 2)
),

measured AS (
    SELECT
        placed.*,
        max(
            placed.purchase_second,
            min(
                min(placed.expiry_second, coalesce(placed.cancellation_second, placed.expiry_second)),
                coalesce(placed.next_start_second, placed.expiry_second)
            )
        ) AS end_second,
        CASE
            WHEN placed.sale IN ('full', 'free') OR placed.offer_discount_type = 'PAY_AS_YOU_GO'
                THEN usual.nominal_days
            WHEN placed.offer_discount_type = 'PAY_UP_FRONT' THEN CASE placed.offer_period
                WHEN 'P1W' THEN 7
                WHEN 'P1M' THEN 30
                WHEN 'P2M' THEN 61
                WHEN 'P3M' THEN 91
                WHEN 'P6M' THEN 182
                WHEN 'P1Y' THEN 365
            END
        END AS told_days,
        CASE
            WHEN placed.days < 3 THEN NULL
            WHEN placed.days <= 14 THEN 7
            WHEN placed.days <= 45 THEN 30
            WHEN placed.days <= 75 THEN 61
            WHEN placed.days <= 135 THEN 91
            WHEN placed.days <= 270 THEN 182
            ELSE 365
        END AS nearest_days
    FROM placed
    LEFT JOIN product ON product.product_id = placed.product_id
    LEFT JOIN usual
        ON usual.app_id = placed.app_number
        AND usual.product_number = product.product_number
)

SELECT
    environment,
    bundle_id,
    original_transaction_id AS subscription_id,
    transaction_id,
    product_id,
    sale,
    price_source,
    price_milliunits,
    currency,
    CASE coalesce(told_days, nearest_days)
        WHEN 7 THEN 'P1W'
        WHEN 30 THEN 'P1M'
        WHEN 61 THEN 'P2M'
        WHEN 91 THEN 'P3M'
        WHEN 182 THEN 'P6M'
        WHEN 365 THEN 'P1Y'
    END AS billing_period,
    CASE coalesce(told_days, nearest_days)
        WHEN 7 THEN (price_milliunits * 26 + 3) / 6
        WHEN 30 THEN price_milliunits
        WHEN 61 THEN (price_milliunits + 1) / 2
        WHEN 91 THEN (price_milliunits * 2 + 3) / 6
        WHEN 182 THEN (price_milliunits + 3) / 6
        WHEN 365 THEN (price_milliunits + 6) / 12
    END AS month_milliunits,
    purchase_second AS start_second,
    purchase_day AS start_day,
    expiry_second,
    cancellation_second,
    refund_second,
    end_second,
    (end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
    next_start_second,
    -- The engines share a way from milliseconds to text alone.
    strftime('%Y-%m-%dT%H:%M:%SZ', expiry_second * 1000 / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', next_start_second * 1000 / 1000, 'unixepoch') AS next_starts,
    is_upgraded,
    transaction_reason,
    app_number
FROM measured;
