-- Times of subscription periods and identifiers of subscriptions, in the text form that reports print.
--
-- Columns:
--   original_id  –     attribute 1705  identifier of the original transaction: the subscription
--   subscription_id  –  attribute 1705  original transaction that identifies the subscription, as text
--   app_id       –     –               app and environment, by the loader's number
--   purchase_id  –     –               the period's transaction, by the loader's number
--   expires      time  attribute 1708  planned end of the period
--   grace_until  time  –               end of the grace period, if a document states one
--   told_at      time  –               when the last renewal info about the period was signed
CREATE VIEW internal_period_times AS
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
    AND state.start_ms = period.start_ms
    AND state.until_ms IS NULL;
