-- One row per period of a subscription, however many transactions a restore made
-- of it: periods of one subscription with the same begin and expiration are one.
--
-- Periods stand in the order in which they begin; next_ is the one that begins
-- next, however soon it expires. A subscription runs one period at a time: the end
-- is the expiration, the cancellation, or the begin of the next period, whichever
-- comes first, though never before the begin. A period that expires before it
-- begins can't be placed and is left out.
--
-- Columns:
--   environment          –                   attribute 0     as in purchases
--   bundle_id            –                   attribute 2     as in purchases
--   subscription_id      –                   attribute 1705  the original transaction
--   transaction_id       –                   attribute 1703  the period's transaction; of copies the one that states a
--                                                            cancellation, else the least
--   product_id           –                   attribute 1702  product of the period
--   kind                 –                   –               trial, introductory or paid
--   starts               time                attribute 1704  its begin
--   expires              time                attribute 1708  its expiration
--   canceled             time                attribute 1712  its cancellation
--   start_second         seconds since 1970  attribute 1704  moment of the begin
--   start_day            days since 1970     attribute 1704  day of the begin
--   expiry_second        seconds since 1970  attribute 1708  moment of the expiration
--   cancellation_second  seconds since 1970  attribute 1712  moment of the cancellation
--   cancellation_day     days since 1970     attribute 1712  day of the cancellation
--   end_second           seconds since 1970  –               moment of expiration, cancellation, or the next begin, the
--                                                            earliest
--   end_day              days since 1970     –               day of the same
--   next_start_second    seconds since 1970  attribute 1704  begin of the next period; null where there is none
--   next_product_id      –                   attribute 1702  product of that period
--   is_upgraded          0 or 1              –               1: ended because another product began: canceled within a
--                                                            minute of that, or not canceled and not yet expired
--   app_number           –                   –               the app's number in this database alone, to count by
--   product_number       –                   –               the same of the product
--   original_number      –                   –               the original transaction, as the loader keeps it
CREATE VIEW subscription_terms AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(coalesce(placed.original_transaction_id, placed.transaction_id) AS TEXT) AS subscription_id,
    CAST(placed.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    CASE
        WHEN placed.is_trial_period = 1 THEN 'trial'
        WHEN placed.is_in_intro_offer_period = 1 THEN 'introductory'
        ELSE 'paid'
    END AS kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', placed.purchase_date / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', placed.expires_date / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', placed.cancellation_date / 1000, 'unixepoch') AS canceled,
    placed.purchase_date / 1000 AS start_second,
    (placed.purchase_date + (SELECT ms FROM zone_offset)) / 86400000 AS start_day,
    placed.expires_date / 1000 AS expiry_second,
    placed.cancellation_date / 1000 AS cancellation_second,
    (placed.cancellation_date + (SELECT ms FROM zone_offset)) / 86400000 AS cancellation_day,
    max(placed.purchase_date, min(placed.told_end, coalesce(placed.next_start, placed.told_end))) / 1000
        AS end_second,
    (max(placed.purchase_date, min(placed.told_end, coalesce(placed.next_start, placed.told_end)))
        + (SELECT ms FROM zone_offset)) / 86400000 AS end_day,
    placed.next_start / 1000 AS next_start_second,
    (
        SELECT next_product.product_id FROM product AS next_product
        WHERE next_product.product_number = placed.next_product_number
    ) AS next_product_id,
    CASE
        WHEN placed.cancellation_date IS NULL THEN CASE
            WHEN placed.next_start < placed.expires_date AND placed.next_product_number <> placed.product_number THEN 1
            ELSE 0
        END
        WHEN EXISTS (
            SELECT 1 FROM unshared_purchases AS upgrade
            WHERE upgrade.app_id = placed.app_id
                AND upgrade.original_transaction_id
                    = coalesce(placed.original_transaction_id, placed.transaction_id)
                AND upgrade.product_number <> placed.product_number
                AND upgrade.purchase_date BETWEEN placed.cancellation_date - 60000 AND placed.cancellation_date + 60000
        ) THEN 1
        ELSE 0
    END AS is_upgraded,
    placed.app_id AS app_number,
    placed.product_number,
    coalesce(placed.original_transaction_id, placed.transaction_id) AS original_number
FROM (
    SELECT
        term.app_id,
        term.original_transaction_id,
        term.transaction_id,
        term.product_number,
        term.purchase_date,
        term.expires_date,
        term.cancellation_date,
        term.is_trial_period,
        term.is_in_intro_offer_period,
        min(term.expires_date, coalesce(term.cancellation_date, term.expires_date)) AS told_end,
        (
            SELECT next.purchase_date FROM unshared_purchases AS next
            WHERE next.app_id = term.app_id
                AND next.original_transaction_id = coalesce(term.original_transaction_id, term.transaction_id)
                AND (next.purchase_date, next.expires_date) > (term.purchase_date, term.expires_date)
                AND next.expires_date > next.purchase_date
            ORDER BY next.purchase_date, next.expires_date, next.transaction_id
            LIMIT 1
        ) AS next_start,
        (
            SELECT next.product_number FROM unshared_purchases AS next
            WHERE next.app_id = term.app_id
                AND next.original_transaction_id = coalesce(term.original_transaction_id, term.transaction_id)
                AND (next.purchase_date, next.expires_date) > (term.purchase_date, term.expires_date)
                AND next.expires_date > next.purchase_date
            ORDER BY next.purchase_date, next.expires_date, next.transaction_id
            LIMIT 1
        ) AS next_product_number
    FROM unshared_purchases AS term
    WHERE term.expires_date > term.purchase_date
        AND NOT EXISTS (
            SELECT 1 FROM unshared_purchases AS copy
            WHERE copy.app_id = term.app_id
                AND copy.original_transaction_id = term.original_transaction_id
                AND copy.purchase_date = term.purchase_date
                AND copy.expires_date = term.expires_date
                -- Of copies one states a refund before another does; that one counts.
                AND (copy.cancellation_date IS NULL, copy.transaction_id)
                    < (term.cancellation_date IS NULL, term.transaction_id)
        )
) AS placed
JOIN app ON app.app_id = placed.app_id
LEFT JOIN product ON product.product_number = placed.product_number;
