-- freemium-owners: Owners to grandfather: the entitlement list
-- Who got the app while it cost money, and which receipt proves it?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--   :era          text(paid, free, unknown, all)  paid  era of the owners listed; or all
--
-- Columns:
--   environment                   text  environment of the owner's receipts; (none) where absent
--   bundle_id                     text  bundle identifier of the app; (none) where absent
--   owner_kind                    text  account, or device where the account is not known
--   owner                         text  account or device
--   era                           text  paid, free or unknown
--   original_application_version  text  the earliest version that the owner's receipts say was got first; (none)
--                                       where none says
--   original_purchase_date        time  the earliest original purchase date of the owner's receipts
--   receipt_sha256                text  a receipt that states that version
--   first_seen_at                 time  when the owner first presented a receipt
--
-- Chart: bars  x=original_application_version  y=rows  series=era
--
-- Notes:
--   One row per owner, to be imported as it is. Only trusted production receipts of
--   an app whose first free version is set prove an era; receipts whose hash belongs
--   to another device prove nothing. Before you deny somebody, read
--   freemium-disagreements: builds that were numbered anew make free owners of
--   paying ones.
--
-- Example:
--   receiptmill report freemium-owners --database mill.sqlite --format csv --output owners.csv

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    owner_kind,
    owner,
    era,
    coalesce(original_application_version, '(none)') AS original_application_version,
    original_purchase_date,
    receipt_sha256,
    first_seen_at
FROM owner_evidence
WHERE coalesce(:era, 'paid') IN ('all', era)
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', bundle_id)
ORDER BY 1, 2, 3, 4;
