-- freemium-migration: Owners by original version and era, and how many pay
-- Who owned the app before it became free, who came after, how many of each bought something, and how soon?
--
-- Grain: one row per environment, bundle_id, era, original_application_version, cohort
-- Aliases: freemium-conversion, eras
--
-- Parameters:
--   :by   text(version, month)           version  how an era is split into rows: by original version, or by the month
--                                                 in which owners got the app
--   :era  text(paid, free, unknown, all)  all     era of the owners counted; or all
--
-- Columns:
--   environment                   text     environment of the owners' receipts
--   bundle_id                     text     bundle identifier of the app
--   era                           text     paid: the app cost money when the owners got it; free: it did not; unknown:
--                                          their receipts do not show it, or the app's first free version is not set,
--                                          or not set for their platform
--   original_application_version  text     the earliest original version of the app that the owner's receipts state;
--                                          (none) if they state none; (all) with by=month
--   owners                        integer(owners)  number of owners: accounts, and devices without an account
--   buyers                        integer(owners)  of the owners, those with a purchase that was neither revoked nor
--                                                  free
--   trial_only                    integer(owners)  of the owners, those who are no buyers, but have a free trial or
--                                                  free offer that was not revoked
--   canceled_only                 integer(owners)  of the owners, those whose purchases were all revoked
--   without_purchases             integer(owners)  of the owners, those without any purchase
--   buyer_rate                    share    buyers ÷ owners
--   cohort                        text     month of the earliest original purchase date in the owners' receipts, or, if
--                                          they state none, month in which the owners were first seen; (all) with
--                                          by=version
--   already                       integer(owners)  of the buyers, those who first bought before the day on which they
--                                                  got the app; empty with by=version
--   within_7_days                 integer(owners)  of the buyers, those who first bought within 7 days after they got
--                                                  the app, including already; empty until 7 days after the month, and
--                                                  with by=version
--   within_30_days                integer(owners)  of the buyers, those who first bought within 30 days after they got
--                                                  the app, including already; empty until 30 days after the month, and
--                                                  with by=version
--   within_90_days                integer(owners)  of the buyers, those who first bought within 90 days after they got
--                                                  the app, including already; empty until 90 days after the month, and
--                                                  with by=version
--   by_first_seen                 integer(owners)  of the owners, those whose receipts do not state when they got the
--                                                  app
--
-- Shown: bundle_id, era, original_application_version, cohort, owners, buyers, trial_only, without_purchases, buyer_rate
-- Total: owners, buyers, trial_only, canceled_only, without_purchases, already, by_first_seen
-- Chart: bars  x=original_application_version  y=owners  series=era
--        bars  x=original_application_version  y=buyer_rate  series=era  n=owners
--
-- Panel:
--   place     10
--   title     Owners by month and era
--   chart     bars  x=cohort  y=owners  series=era
--   settings  by=month
--   alone     unknown  The era of all owners is unknown. If the app once cost money, tell its first free version:
--                      receiptmill ingest --app BUNDLE:FIRST_FREE_VERSION.
--   missing   No owner is known yet: no trusted receipt of production came with a device or an account.
--
-- Notes:
--   owners = buyers + trial_only + canceled_only + without_purchases. Versions are sorted as versions: 1.9 before 1.10.
--   An owner is the account, else the device, that presented a trusted receipt. A person with two devices and no
--   account counts as two owners; a person with an account counts as one. Receipts whose hash belongs to another device
--   count for nobody.
--   If two owners present a transaction, both are buyers, since a person's devices share purchases. A family member's
--   share is no purchase, a refunded purchase is revoked, and a purchase that a change replaced counts as bought.
--   Days until the first purchase are counted only with by=month. For owners in by_first_seen, they are counted from
--   the day on which an archive first shows the owner. That is often years after they got the app, so nearly all of
--   them have bought already. Signed transactions alone do not state when the customer obtained the app.
--   Set an app's first free version when ingesting: --app BUNDLE:FIRST_FREE_VERSION. Append :PLATFORM for each platform
--   of the app, since each platform has its own version numbers. The report freemium-owners shows why an era is
--   unknown.
--
-- Example:
--   receiptmill report freemium-migration --database mill.sqlite by=month era=free

WITH counted AS (
    SELECT
        owned.app_id,
        CASE
            WHEN apps.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
            WHEN free.first_free_version_key IS NULL OR version.version_key IS NULL THEN 'unknown'
            WHEN version.version_key < free.first_free_version_key THEN 'paid'
            ELSE 'free'
        END AS era,
        CASE WHEN coalesce(:by, 'version') = 'month' THEN 0 ELSE owned.version_id END AS version_id,
        CASE WHEN coalesce(:by, 'version') = 'month' THEN owned.got_month ELSE 0 END AS month_number,
        sum(owned.owners) AS owners,
        sum(CASE WHEN owned.best = 'bought' THEN owned.owners ELSE 0 END) AS buyers,
        sum(CASE WHEN owned.best = 'trial' THEN owned.owners ELSE 0 END) AS trial_only,
        sum(CASE WHEN owned.best = 'canceled' THEN owned.owners ELSE 0 END) AS canceled_only,
        sum(CASE WHEN owned.best = 'none' THEN owned.owners ELSE 0 END) AS without_purchases,
        sum(CASE WHEN owned.bought_within = -1 THEN owned.owners ELSE 0 END) AS already,
        sum(CASE WHEN owned.bought_within IN (-1, 7) THEN owned.owners ELSE 0 END) AS within_7_days,
        sum(CASE WHEN owned.bought_within IN (-1, 7, 30) THEN owned.owners ELSE 0 END) AS within_30_days,
        sum(CASE WHEN owned.bought_within <> 0 THEN owned.owners ELSE 0 END) AS within_90_days,
        sum(owned.is_first_seen * owned.owners) AS by_first_seen
    FROM apps
    JOIN model_owner_counts AS owned ON owned.app_id = apps.app_id
    LEFT JOIN version ON version.version_id = owned.version_id
    LEFT JOIN internal_first_free AS free ON free.bundle_id = apps.bundle_id AND free.platform = owned.platform
    LEFT JOIN months ON months.month_number = owned.got_month
    WHERE coalesce(:by, 'version') = 'version'
        OR months.month_number IS NOT NULL
    GROUP BY 1, 2, 3, 4
)

SELECT
    apps.environment, apps.bundle_id, counted.era,
    CASE WHEN coalesce(:by, 'version') = 'month' THEN '(all)' ELSE coalesce(version.version, '(none)') END
        AS original_application_version,
    counted.owners, counted.buyers, counted.trial_only, counted.canceled_only, counted.without_purchases,
    round(CAST(counted.buyers AS DOUBLE) / counted.owners, 4) AS buyer_rate,
    coalesce(month.month, '(all)') AS cohort,
    CASE WHEN month.month IS NOT NULL THEN counted.already END AS already,
    CASE WHEN month.ends_ms + 604800000 <= apps.horizon_ms + 1000 THEN counted.within_7_days END AS within_7_days,
    CASE WHEN month.ends_ms + 2592000000 <= apps.horizon_ms + 1000 THEN counted.within_30_days END AS within_30_days,
    CASE WHEN month.ends_ms + 7776000000 <= apps.horizon_ms + 1000 THEN counted.within_90_days END AS within_90_days,
    counted.by_first_seen
FROM counted
JOIN apps ON apps.app_id = counted.app_id
LEFT JOIN version ON version.version_id = counted.version_id
LEFT JOIN months AS month ON month.month_number = counted.month_number
WHERE coalesce(:era, 'all') IN ('all', counted.era)
ORDER BY
    apps.environment, apps.bundle_id,
    CASE counted.era WHEN 'paid' THEN 1 WHEN 'free' THEN 2 ELSE 3 END,
    coalesce(version.version_key, ''),
    coalesce(version.version, ''),
    counted.month_number;
