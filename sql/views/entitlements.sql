-- One row per owner and non-consumable, non-renewing subscription or subscription:
-- what each owner may use, as of the newest trusted document of the app in that
-- environment. It is the row of entitlement_spans that holds at that moment.
--
-- Columns:
--   environment            –     attribute 0     as in purchases
--   bundle_id              –     attribute 2     as in purchases
--   owner                  –     line            account, else device; null if nobody is known
--   owner_kind             –     –               `account`, `device` or `none`
--   product_id             –     attribute 1702  product
--   source_transaction_id  –     attribute 1703  the transaction that gives the right
--   starts                 time  attribute 1704  when it was bought, or the period began
--   ends                   time  –               as in entitlement_spans
--   ownership              –     –               as in purchases
--   state                  –     –               as in entitlement_spans
--   as_of                  time  –               creation of the newest trusted document of the app in that environment
CREATE VIEW entitlements AS
SELECT
    span.environment,
    span.bundle_id,
    span.owner,
    span.owner_kind,
    span.product_id,
    span.source_transaction_id,
    span.starts,
    span.ends,
    span.ownership,
    span.state,
    strftime('%Y-%m-%dT%H:%M:%SZ', model_apps.horizon_ms / 1000, 'unixepoch') AS as_of
FROM model_apps
JOIN entitlement_spans AS span ON span.app_id = model_apps.app_id
WHERE span.from_ms <= model_apps.horizon_ms
    AND (span.until_ms IS NULL OR span.until_ms > model_apps.horizon_ms);
