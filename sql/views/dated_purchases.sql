-- The purchases, with their dates as numbers: days and seconds since 1970, UTC.
-- Which of several copies counts, purchase_states says.
--
-- Columns:
--   environment              –                   attribute 0     as in purchases
--   bundle_id                –                   attribute 2     as in purchases
--   transaction_id           –                   attribute 1703  the transaction
--   original_transaction_id  –                   attribute 1705  the original; the transaction's own where none is
--                                                                stated
--   product_id               –                   attribute 1702  product bought
--   product_type             –                   attribute 1707  as in purchases
--   quantity                 –                   attribute 1701  how many; 1 where none is stated
--   purchase_date            time                attribute 1704  when it was bought
--   cancellation_date        time                attribute 1712  when it was canceled
--   purchase_day             days since 1970     attribute 1704  day of the purchase
--   purchase_second          seconds since 1970  attribute 1704  moment of the purchase
--   cancellation_day         days since 1970     attribute 1712  day of the cancellation
--   cancellation_second      seconds since 1970  attribute 1712  moment of the cancellation
--   expiry_second            seconds since 1970  attribute 1708  moment of the expiration
--   is_trial_period          0 or 1              attribute 1713  1: a free trial
--   is_upgraded              0 or 1              –               1: canceled because another product of the subscription
--                                                                began within a minute
--   is_restored              0 or 1              –               1: a copy or an original, of which another counts
--   is_refund                0 or 1              –               1: a refund, as in purchase_states
--   app_version              –                   attribute 3     version of the receipt that states this state
--   app_version_key          –                   attribute 3     the same as text that sorts
--   receipt_sha256           –                   –               the receipt that states this state
--   app_number               –                   –               the app's number in this database alone, to count by
--   app_version_number       –                   –               the same of the version
CREATE VIEW dated_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    state.transaction_id,
    state.original_transaction_id,
    product.product_id,
    state.product_type,
    state.quantity,
    strftime('%Y-%m-%dT%H:%M:%SZ', state.sold_ms / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', state.cancellation_ms / 1000, 'unixepoch') AS cancellation_date,
    (state.sold_ms + (SELECT ms FROM zone_offset)) / 86400000 AS purchase_day,
    state.sold_ms / 1000 AS purchase_second,
    (state.cancellation_ms + (SELECT ms FROM zone_offset)) / 86400000 AS cancellation_day,
    state.cancellation_ms / 1000 AS cancellation_second,
    state.expiry_ms / 1000 AS expiry_second,
    state.is_trial_period,
    state.is_upgraded,
    state.is_restored,
    state.is_refund,
    app_version.version AS app_version,
    app_version.version_key AS app_version_key,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    state.app_number,
    receipt.app_version_id AS app_version_number
FROM purchase_states AS state
JOIN app ON app.app_id = state.app_number
JOIN receipt ON receipt.receipt_id = state.receipt_number
LEFT JOIN version AS app_version ON app_version.version_id = receipt.app_version_id
LEFT JOIN product ON product.product_number = state.product_number
WHERE state.is_family = 0;
