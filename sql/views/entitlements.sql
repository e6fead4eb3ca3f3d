-- What each owner is entitled to use as of the app's newest trusted document: one row per owner and non-consumable,
-- non-renewing subscription or subscription. It is the row of entitlement_spans whose span contains that moment.
--
-- Columns:
--   environment            –     attribute 0     environment that the receipts state
--   bundle_id              –     attribute 2     bundle identifier of the app
--   owner                  –     line            account, else device; null if unknown
--   owner_kind             –     –               what identifies the owner: `account`, `device` or `none`
--   product_id             –     attribute 1702  product bought
--   source_transaction_id  –     attribute 1703  transaction that entitles the owner
--   starts                 time  attribute 1704  when the product was bought, or the period began
--   ends                   time  –               end of the period; in `grace`, end of the grace period; in `revoked`,
--                                                time of the revocation; null if there is no end, or for an upgraded
--                                                period whose next period is unknown
--   ownership              –     –               `PURCHASED`, or a member's share: `FAMILY_SHARED`, or `ASSIGNED` by an
--                                                organization or group
--   state                  –     –               `active`; `grace`: the period is over, the grace period is not;
--                                                `billing_retry`: both are over, and the store tries to charge, for at
--                                                most 60 or 90 days; `expired`; `revoked`: refunded, or a share was
--                                                withdrawn; `unknown`: the period is over, and no later document states
--                                                how it ended
--   as_of                  time  –               when the newest trusted document of the app in that environment was
--                                                created
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
