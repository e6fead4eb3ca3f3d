-- One row per purchase, copies that restores made and family members' shares left out:
-- from when until when it ran, and its refund.
--
-- Columns:
--   environment      –                   attribute 0     as in purchases
--   bundle_id        –                   attribute 2     as in purchases
--   subscription_id  –                   attribute 1705  the original transaction; the transaction's own where none is
--                                                        stated
--   transaction_id   –                   attribute 1703  the transaction
--   starts           time                attribute 1704  its purchase date
--   start_second     seconds since 1970  attribute 1704  the same
--   expires          time                attribute 1708  its expiration date; null of what does not expire
--   expiry_second    seconds since 1970  attribute 1708  the same
--   canceled         time                attribute 1712  its cancellation date
--   cancel_second    seconds since 1970  attribute 1712  the same
--   is_refund        0 or 1              –               1: canceled, and neither by an upgrade nor of a free trial
--   app_number       –                   –               the app's number in this database alone, to count by
CREATE VIEW purchase_spans AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    state.original_transaction_id AS subscription_id,
    state.transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', state.sold_ms / 1000, 'unixepoch') AS starts,
    state.sold_ms / 1000 AS start_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', state.expiry_ms / 1000, 'unixepoch') AS expires,
    state.expiry_ms / 1000 AS expiry_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', state.cancellation_ms / 1000, 'unixepoch') AS canceled,
    state.cancellation_ms / 1000 AS cancel_second,
    state.is_refund,
    state.app_number
FROM purchase_states AS state
JOIN app ON app.app_id = state.app_number
WHERE state.is_restored = 0
    AND state.is_family = 0
    AND state.sold_ms IS NOT NULL;
