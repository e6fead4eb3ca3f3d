-- freemium-unknown-eras: Owners whose era is unknown, and why
-- Of which owners can the receipts not tell whether they paid for the app, and why not?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--   :reason       text(sandbox, before_2013_06_20, no_original_version, app_not_set, first_free_version_not_set, all)
--                 all  reason of the owners listed; or all
--
-- Columns:
--   environment             text  environment of the owner's receipts; (none) where absent
--   bundle_id               text  bundle identifier of the app; (none) where absent
--   owner_kind              text  account, or device where the account is not known
--   owner                   text  account or device
--   reason                  text  sandbox: it always states version 1.0; before_2013_06_20: receipts did not
--                                 state a version yet; no_original_version: none of the receipts states one;
--                                 app_not_set, first_free_version_not_set: you have not said when the app became
--                                 free
--   original_purchase_date  time  the earliest original purchase date of the owner's receipts, the second
--                                 opinion; null where none is stated
--   first_seen_at           time  when the owner first presented a receipt
--
-- Chart: bars  x=reason  y=rows
--
-- Notes:
--   A receipt from before 2013-06-20 is mended by refreshing it once; see
--   receipts-to-refresh. Sandbox owners are shown with --param environment=all.
--
-- Example:
--   receiptmill report freemium-unknown-eras --database mill.sqlite --param environment=all

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    owner_kind,
    owner,
    reason,
    original_purchase_date,
    first_seen_at
FROM owner_evidence
WHERE era = 'unknown'
    AND coalesce(:reason, 'all') IN ('all', reason)
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', bundle_id)
ORDER BY 1, 2, 3, 4;
