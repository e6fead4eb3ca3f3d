-- The rows of entitlements by number, without names.
--
-- Columns:
--   app_number       –                   –     the app's number in this database alone
--   purchase_number  –                   –     the number of the transaction that gives the right, likewise
--   contact_number   –                   line  the owner, as in presenters_by_number
--   state_code       –                   –     1: active; 2: grace; 3: billing_retry; 4: expired; 5: revoked; 6: unknown
--   ends_second      seconds since 1970  –     ends as a number
--   seen_second      seconds since 1970  line  when the owner presented a document of the app last
CREATE VIEW entitlements_by_number AS
SELECT
    states.app_number,
    states.purchase_number,
    states.contact_number,
    CASE states.state
        WHEN 'active' THEN 1
        WHEN 'grace' THEN 2
        WHEN 'billing_retry' THEN 3
        WHEN 'expired' THEN 4
        WHEN 'revoked' THEN 5
        ELSE 6
    END AS state_code,
    states.ends_ms / 1000 AS ends_second,
    states.seen_ms / 1000 AS seen_second
FROM entitlement_states AS states
CROSS JOIN app_horizons ON app_horizons.app_number = states.app_number
WHERE states.from_ms <= app_horizons.ms
    AND coalesce(states.until_ms, 1 << 62) > app_horizons.ms;
