-- One row per period of a subscription, however many transactions a restore made
-- of it: periods of one subscription that expire at the same moment are one.
--
-- The end is the expiration, or the cancellation where that comes first, though
-- never before the begin. A period that expires before it begins never ran and is
-- left out. next_ is the period that expires next, whenever it begins; an upgrade
-- ends a period and begins another product within a minute.
--
-- Columns:
--   environment          –                   attribute 0     as in purchases
--   bundle_id            –                   attribute 2     as in purchases
--   subscription_id      –                   attribute 1705  the original transaction
--   transaction_id       –                   attribute 1703  the period's transaction; of copies the one that tells of a
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
--   end_second           seconds since 1970  –               moment of expiration or cancellation, the earlier
--   end_day              days since 1970     –               day of the same
--   next_start_second    seconds since 1970  attribute 1704  begin of the period that expires next; null where there is
--                                                            none
--   next_product_id      –                   attribute 1702  product of that period
--   is_upgraded          0 or 1              –               1: canceled because another product began within a minute
--   app_number           –                   –               the app's number in this database alone, to count by
--   product_number       –                   –               the same of the product
CREATE VIEW subscription_terms AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(coalesce(term.original_transaction_id, term.transaction_id) AS TEXT) AS subscription_id,
    CAST(term.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    CASE
        WHEN term.is_trial_period = 1 THEN 'trial'
        WHEN term.is_in_intro_offer_period = 1 THEN 'introductory'
        ELSE 'paid'
    END AS kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', term.purchase_date / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', term.expires_date / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', term.cancellation_date / 1000, 'unixepoch') AS canceled,
    term.purchase_date / 1000 AS start_second,
    term.purchase_date / 86400000 AS start_day,
    term.expires_date / 1000 AS expiry_second,
    term.cancellation_date / 1000 AS cancellation_second,
    max(term.purchase_date, min(term.expires_date, coalesce(term.cancellation_date, term.expires_date))) / 1000
        AS end_second,
    max(term.purchase_date, min(term.expires_date, coalesce(term.cancellation_date, term.expires_date))) / 86400000
        AS end_day,
    (
        SELECT next.purchase_date / 1000 FROM purchase AS next
        WHERE next.app_id = term.app_id
            AND next.original_transaction_id = coalesce(term.original_transaction_id, term.transaction_id)
            AND next.expires_date > term.expires_date
            AND next.expires_date > next.purchase_date
        ORDER BY next.expires_date, next.transaction_id
        LIMIT 1
    ) AS next_start_second,
    (
        SELECT next_product.product_id FROM purchase AS next
        JOIN product AS next_product ON next_product.product_number = next.product_number
        WHERE next.app_id = term.app_id
            AND next.original_transaction_id = coalesce(term.original_transaction_id, term.transaction_id)
            AND next.expires_date > term.expires_date
            AND next.expires_date > next.purchase_date
        ORDER BY next.expires_date, next.transaction_id
        LIMIT 1
    ) AS next_product_id,
    CASE
        WHEN term.cancellation_date IS NULL THEN 0
        WHEN EXISTS (
            SELECT 1 FROM purchase AS upgrade
            WHERE upgrade.app_id = term.app_id
                AND upgrade.original_transaction_id = term.original_transaction_id
                AND upgrade.product_number <> term.product_number
                AND abs(upgrade.purchase_date - term.cancellation_date) <= 60000
        ) THEN 1
        ELSE 0
    END AS is_upgraded,
    term.app_id AS app_number,
    term.product_number
FROM purchase AS term
JOIN app ON app.app_id = term.app_id
LEFT JOIN product ON product.product_number = term.product_number
WHERE term.expires_date > term.purchase_date
    AND NOT EXISTS (
        SELECT 1 FROM purchase AS copy
        WHERE copy.app_id = term.app_id
            AND copy.original_transaction_id = term.original_transaction_id
            AND copy.expires_date = term.expires_date
            AND copy.expires_date > copy.purchase_date
            -- Of copies one tells a refund before another does; that one counts.
            AND (copy.cancellation_date IS NULL, copy.transaction_id)
                < (term.cancellation_date IS NULL, term.transaction_id)
    );
