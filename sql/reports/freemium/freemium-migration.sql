-- freemium-migration: Owners by original version and era
-- Who owned the app before it became free, who came after, and how many of each bought something?
--
-- Grain: one row per environment, bundle_id, era, original_application_version
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   environment                   text     environment of the owners' receipts
--   bundle_id                     text     bundle identifier of the app
--   era                           text     paid: the app cost money when they got it; free: it did not;
--                                          unknown: their receipts don't say, or the app's first free
--                                          version is not set
--   original_application_version  text     the earliest version that the owner's receipts say was got
--                                          first; (none) where none says
--   owners                        integer  accounts, and devices without an account
--   buyers                        integer  of these, with a purchase neither canceled nor a free trial
--   trial_only                    integer  of these, no buyers, with a free trial that was not canceled
--   canceled_only                 integer  of these, with purchases, all of which were canceled
--   without_purchases             integer  of these, with no purchase at all
--   buyer_rate                    share    buyers per owner
--
-- Chart: bars  x=original_application_version  y=owners  series=era
--        bars  x=original_application_version  y=buyer_rate  series=era  n=owners
--
-- Notes:
--   owners = buyers + trial_only + canceled_only + without_purchases.
--   Versions are in their own order: 1.9 goes before 1.10.
--   An owner is the account that presented a trusted receipt, else the device.
--   A person with two devices and no account is two owners; one with an account
--   is one. Receipts whose hash belongs to another device count for nobody.
--   A transaction that two owners present makes both of them buyers: a person's
--   devices share purchases. Only an upper bound of buyers can be had from
--   receipts where accounts are unknown. A family member's share is no purchase.
--   Set an app's first free version when ingesting: --app BUNDLE:FIRST_FREE_VERSION.
--
-- Example:
--   receiptmill report freemium-migration --database mill.sqlite

WITH counted AS (
    SELECT
        environment,
        bundle_id,
        era,
        original_application_version,
        original_application_version_key,
        sum(owners) AS owners,
        sum(CASE WHEN best = 3 THEN owners ELSE 0 END) AS buyers,
        sum(CASE WHEN best = 2 THEN owners ELSE 0 END) AS trial_only,
        sum(CASE WHEN best = 1 THEN owners ELSE 0 END) AS canceled_only,
        sum(CASE WHEN best IS NULL THEN owners ELSE 0 END) AS without_purchases
    FROM owner_standing
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    GROUP BY 1, 2, 3, 4, 5
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    era,
    coalesce(original_application_version, '(none)') AS original_application_version,
    owners,
    buyers,
    trial_only,
    canceled_only,
    without_purchases,
    round(CAST(buyers AS DOUBLE) / owners, 4) AS buyer_rate
FROM counted
ORDER BY
    environment,
    bundle_id,
    CASE era WHEN 'paid' THEN 1 WHEN 'free' THEN 2 ELSE 3 END,
    coalesce(original_application_version_key, ''),
    original_application_version;
