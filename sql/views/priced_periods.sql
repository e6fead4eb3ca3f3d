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
--   original_number      –                   –                the original transaction, as the loader keeps it
CREATE VIEW priced_periods AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(period.original_number AS TEXT) AS subscription_id,
    CAST(period.transaction_number AS TEXT) AS transaction_id,
    product.product_id,
    period.sale,
    period.price_source,
    period.price_milliunits,
    period.currency,
    CASE period.billing_days
        WHEN 7 THEN 'P1W'
        WHEN 30 THEN 'P1M'
        WHEN 61 THEN 'P2M'
        WHEN 91 THEN 'P3M'
        WHEN 182 THEN 'P6M'
        WHEN 365 THEN 'P1Y'
    END AS billing_period,
    period.month_milliunits,
    period.start_second,
    (period.start_second + (SELECT second FROM zone_offset)) / 86400 AS start_day,
    period.expiry_second,
    period.cancellation_second,
    period.refund_second,
    period.end_second,
    (period.end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
    period.next_start_second,
    -- The engines share a way from milliseconds to text alone.
    strftime('%Y-%m-%dT%H:%M:%SZ', period.expiry_second * 1000 / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', period.next_start_second * 1000 / 1000, 'unixepoch') AS next_starts,
    period.is_upgraded,
    period.transaction_reason,
    period.app_number,
    period.original_number
FROM periods_by_number AS period
JOIN app ON app.app_id = period.app_number
LEFT JOIN product ON product.product_number = period.product_number;
