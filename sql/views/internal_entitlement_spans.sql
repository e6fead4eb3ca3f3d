-- The states of model_entitlements, which has them in columns, as one row per state.
--
-- Columns:
--   user_id      number of the user who holds the purchase; 0 if unknown
--   purchase_id  the purchase, by the loader's number
--   app_id       app and environment, by the loader's number
--   state        active, grace, billing_retry, expired, revoked, unknown, or consumed
--   from_ms      first moment of the state; of a purchase's first state, when the product was bought, or 0 if no date
--                is stated
--   until_ms     first moment after the state; null: no end
CREATE VIEW internal_entitlement_spans AS
SELECT
    user_id,
    purchase_id,
    app_id,
    state,
    start_ms AS from_ms,
    coalesce(grace_ms, retry_ms, over_ms, revoked_ms, until_ms) AS until_ms
FROM model_entitlements
WHERE state IS NOT NULL
UNION ALL
SELECT user_id, purchase_id, app_id, 'grace', grace_ms, coalesce(retry_ms, over_ms, revoked_ms, until_ms)
FROM model_entitlements
WHERE grace_ms IS NOT NULL
UNION ALL
SELECT user_id, purchase_id, app_id, 'billing_retry', retry_ms, coalesce(over_ms, revoked_ms, until_ms)
FROM model_entitlements
WHERE retry_ms IS NOT NULL
UNION ALL
SELECT user_id, purchase_id, app_id, outcome, over_ms, coalesce(revoked_ms, until_ms)
FROM model_entitlements
WHERE over_ms IS NOT NULL
UNION ALL
SELECT user_id, purchase_id, app_id, 'revoked', revoked_ms, until_ms
FROM model_entitlements
WHERE revoked_ms IS NOT NULL;
