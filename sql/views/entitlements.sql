-- One row per owner and non-consumable, non-renewing subscription or subscription:
-- what each owner may use, as of the newest trusted document of the app in that
-- environment. It is the row of entitlement_states that holds at that moment.
--
-- Columns:
--   environment            –     attribute 0     as in purchases
--   bundle_id              –     attribute 2     as in purchases
--   owner                  –     line            account, else device; null where nobody is known
--   owner_kind             –     –               `account`, `device` or `none`
--   product_id             –     attribute 1702  product
--   source_transaction_id  –     attribute 1703  the transaction that gives the right
--   starts                 time  attribute 1704  when it was bought, or the period began
--   ends                   time  –               when the right ends: in `grace` the end of the grace period, else of the
--                                                period; null of what never ends, and of an upgraded period whose next is
--                                                not known
--   ownership              –     –               as in purchases
--   state                  –     –               `active`; `grace`: the period is over, the grace period is not;
--                                                `billing_retry`: neither runs, and the store tries to charge; `expired`;
--                                                `revoked`: refunded; `unknown`: the period is over, and no renewal info
--                                                and no app receipt made since says how
--   as_of                  time  –               creation of the newest trusted document of the app in that environment
CREATE VIEW entitlements AS
SELECT
    environment,
    bundle_id,
    owner,
    owner_kind,
    product_id,
    source_transaction_id,
    starts,
    ends,
    ownership,
    state,
    as_of
FROM owner_entitlements;
