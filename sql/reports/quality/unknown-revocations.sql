-- unknown-revocations: Revocations of types that are not known here
-- Which types of revocation did the store state that nobody knew when this was written, and of how many purchases?
--
-- Grain: one row per environment, bundle_id, revocation_type
--
-- Parameters:
--   :environment  environments  all  environments counted, separated by commas; or all
--   :bundle       bundle        all  bundle identifier of the app; or all
--
-- Columns:
--   environment      text     environment of the purchases; (none) where absent
--   bundle_id        text     bundle identifier of the app; (none) where absent
--   revocation_type  text     the type, as the store's signed transactions state it
--   purchases        integer  purchases whose cancellation is told to be of it
--
-- Notes:
--   No chart: a list to look up.
--   Known are REFUND_FULL and REFUND_PRORATED, which are refunds, and FAMILY_REVOKE and
--   ASSIGNMENT_REVOKE, which are none. Another type counts as a refund in every view and
--   report, of the share that is told, else of the whole: look it up in Apple's
--   "revocationType" before you rely on the refunds of its months.
--
-- Example:
--   receiptmill report unknown-revocations --database mill.sqlite

SELECT
    coalesce(app_names.environment, '(none)') AS environment,
    coalesce(app_names.bundle_id, '(none)') AS bundle_id,
    state.revocation_type,
    count(*) AS purchases
FROM purchase_states AS state
JOIN app_names ON app_names.app_number = state.app_number
WHERE state.revocation_kind = 'unknown'
    AND (
        coalesce(:environment, 'all') = 'all'
        OR instr(',' || coalesce(:environment, 'all') || ',', ',' || app_names.environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3;
