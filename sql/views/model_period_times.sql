-- Times of subscription periods, and identifiers of subscriptions, as reports write them.
--
-- Columns:
--   original_id  –     attribute 1705  identifier of the original transaction: the subscription
--   subscription_id  –  attribute 1705  the same as text
--   app_id       –     –               app and environment, by the loader's number
--   purchase_id  –     –               the period's transaction, by the loader's number
--   expires      time  attribute 1708  its planned end
--   grace_until  time  –               end of the grace period that the store told
--   told_at      time  –               when the last renewal info of it was signed
CREATE VIEW model_period_times AS
SELECT
    period.original_id,
    CAST(period.original_id AS TEXT) AS subscription_id,
    period.app_id,
    period.purchase_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.expires_ms >= 0 THEN period.expires_ms END / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.grace_ms >= 0 THEN period.grace_ms END / 1000, 'unixepoch') AS grace_until,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN state.signed_ms >= 0 THEN state.signed_ms END / 1000, 'unixepoch') AS told_at
FROM model_periods AS period
LEFT JOIN model_renewal_states AS state
    ON state.original_id = period.original_id
    AND state.app_id = period.app_id
    AND state.start_ms = period.start_ms;
