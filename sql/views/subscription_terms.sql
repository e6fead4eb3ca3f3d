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
--   transaction_id       –                   attribute 1703  the period's transaction; of copies the one that counts, as in
--                                                            purchase_states
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
--   purchase_number      –                   –               the number of the period's transaction in this database
--                                                            alone
CREATE VIEW subscription_terms AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(term.original_number AS TEXT) AS subscription_id,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    term.kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', term.start_second * 1000 / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', term.expiry_second * 1000 / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', term.cancellation_second * 1000 / 1000, 'unixepoch') AS canceled,
    term.start_second,
    (term.start_second + (SELECT second FROM zone_offset)) / 86400 AS start_day,
    term.expiry_second,
    term.cancellation_second,
    (term.cancellation_second + (SELECT second FROM zone_offset)) / 86400 AS cancellation_day,
    term.end_second,
    (term.end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
    term.next_start_second,
    next_product.product_id AS next_product_id,
    term.is_upgraded,
    term.app_number,
    term.product_number,
    term.original_number,
    term.purchase_number
FROM bounded_terms AS term
JOIN app ON app.app_id = term.app_number
LEFT JOIN purchase ON purchase.purchase_id = term.purchase_number
LEFT JOIN product ON product.product_number = term.product_number
LEFT JOIN product AS next_product ON next_product.product_number = term.next_product_number;
