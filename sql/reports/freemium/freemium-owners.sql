-- freemium-owners: Owners to grandfather: the entitlement list
-- Who got the app while it cost money, which receipt proves it, and for whom is it unknown or doubtful?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner
-- Aliases: freemium-disagreements, freemium-unknown-eras, grandfathering
--
-- Parameters:
--   :era         text(paid, free, unknown, disagreeing, all)  paid  era of the owners listed; disagreeing: version and
--                            date show different eras; or all
--   :free_since  date  null  day on which the app became free, for era_by_date; unless set, it is estimated for each
--                            app with era=disagreeing
--   :reason      text(sandbox, before_2013_06_20, no_original_version, app_not_set, platform_not_set,
--                platform_not_told, first_free_version_not_set, all)  all
--                            reason shown, of owners whose era is unknown; or all
--
-- Columns:
--   environment                   text  environment of the owner's receipts; (none) if absent
--   bundle_id                     text  bundle identifier of the app; (none) if absent
--   owner_kind                    text  what identifies the owner: account, or device if no account is known
--   owner                         text  the account, else the device, as the archive's lines write it
--   era                           text  era by original_application_version: paid, free or unknown
--   original_application_version  text  the earliest original version of the app that the owner's receipts state;
--                                       (none) if they state none
--   original_purchase_date        time  the earliest original purchase date in the owner's receipts
--   receipt_sha256                text  SHA-256 of a receipt that states original_application_version
--   first_seen_at                 time  when the owner first presented a receipt
--   era_by_date                   text  era by original_purchase_date and free_since: paid or free; null if one of
--                                       these, or era, is unknown
--   free_since                    date  day on which the app became free, as given or estimated; null if it is neither
--   reason                        text  why era is unknown: sandbox: sandbox receipts always state version 1.0;
--                                       before_2013_06_20: receipts stated no version then; no_original_version: none
--                                       of the receipts states a version; app_not_set, first_free_version_not_set: you
--                                       have not set the app's first free version; platform_not_set: it is not set for
--                                       this platform; platform_not_told: it differs by platform, and the receipt does
--                                       not state its platform; null if era is known
--   platform                      text  platform on which the app was obtained: ios, macos, tvos, visionos or other, as
--                                       an app transaction states; or, by the device hash of a receipt, macos or mobile
--                                       (not macOS); null if unknown
--
-- Shown: owner, era, original_application_version, original_purchase_date, era_by_date, reason, bundle_id
-- Chart: bars  x=original_application_version  y=rows  series=era
--
-- Notes:
--   The list has one row per owner, and can be imported as it is. Only trusted production receipts of an app whose
--   first free version is set prove an era; receipts whose hash belongs to another device prove nothing.
--   Before you deny anybody access, read era=disagreeing. If builds were renumbered, a late version can have a low
--   number; such an owner is paid by version and free by date. If you know the day on which the app became free, trust
--   the date.
--   Unless free_since is set, era=disagreeing estimates the day on which the app became free, from the original
--   purchase dates of owners whose original version was free: it ignores the earliest dates of at most one percent of
--   these owners, and takes the earliest of the others. This needs an app with many owners; set free_since if you know
--   the day.
--   Each platform has its own version numbers: set --app BUNDLE:VERSION:PLATFORM for each. An app transaction states
--   its platform; for a receipt whose hash was checked, the device shows the platform: only macOS uses a network
--   address.
--   If a receipt is from before 2013-06-20, refreshing it once adds the version; see the report receipts-to-refresh.
--   Sandbox owners are shown with environment=all. Rows are sorted by owner.
--
-- Example:
--   receiptmill report freemium-owners --database mill.sqlite --format csv --output owners.csv

WITH by_day AS (
    SELECT owned.bundle_id, substr(owned.original_purchase_date, 1, 10) AS day, count(*) AS owners
    FROM owner_evidence AS owned
    JOIN apps ON apps.app_id = owned.app_id
    WHERE owned.era = 'free'
        AND owned.original_purchase_date IS NOT NULL
        AND :era = 'disagreeing'
        AND :free_since IS NULL
    GROUP BY 1, 2
),

placed AS (
    SELECT
        bundle_id, day,
        sum(owners) OVER (
            PARTITION BY bundle_id ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS place,
        sum(owners) OVER (PARTITION BY bundle_id) AS owners
    FROM by_day
),

switched AS (
    SELECT bundle_id, min(day) AS free_since
    FROM placed
    WHERE place * 100 > owners
    GROUP BY bundle_id
)

SELECT
    apps.environment, apps.bundle_id, owned.owner_kind, owned.owner, owned.era,
    coalesce(owned.original_application_version, '(none)') AS original_application_version,
    owned.original_purchase_date, owned.receipt_sha256, owned.first_seen_at,
    CASE
        WHEN owned.era = 'unknown' OR owned.original_purchase_date IS NULL THEN NULL
        WHEN substr(owned.original_purchase_date, 1, 10) < coalesce(:free_since, switched.free_since) THEN 'paid'
        WHEN coalesce(:free_since, switched.free_since) IS NOT NULL THEN 'free'
    END AS era_by_date,
    coalesce(:free_since, switched.free_since) AS free_since,
    owned.reason,
    owned.platform
FROM apps
JOIN owner_evidence AS owned ON owned.app_id = apps.app_id
LEFT JOIN switched ON switched.bundle_id = apps.bundle_id
WHERE (
        coalesce(:era, 'paid') IN ('all', owned.era)
        OR (
            :era = 'disagreeing'
            AND owned.era = CASE
                WHEN substr(owned.original_purchase_date, 1, 10) < coalesce(:free_since, switched.free_since) THEN 'free'
                WHEN substr(owned.original_purchase_date, 1, 10) >= coalesce(:free_since, switched.free_since) THEN 'paid'
            END
        )
    )
    AND (coalesce(:reason, 'all') = 'all' OR owned.reason = :reason)
ORDER BY owned.owner, owned.owner_kind, apps.environment, apps.bundle_id;
