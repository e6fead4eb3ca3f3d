-- freemium-disagreements: Owners whose version and date disagree about the era
-- Of which owners does the original version say one era, and the original purchase date the other?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--   :free_since   date          null                      day on which the app became free; guessed for each app
--                                                         unless set
--
-- Columns:
--   environment                   text  environment of the owner's receipts; (none) where absent
--   bundle_id                     text  bundle identifier of the app; (none) where absent
--   owner_kind                    text  account, or device where the account is not known
--   owner                         text  account or device
--   original_application_version  text  the earliest version that the owner's receipts say was got first
--   era_by_version                text  paid or free, by the app's first free version
--   original_purchase_date        time  the earliest original purchase date of the owner's receipts
--   era_by_date                   text  paid or free, by the day on which the app became free
--   free_since                    date  that day, as given or as guessed
--   receipt_sha256                text  a receipt that states the version
--
-- Chart: bars  x=original_application_version  y=rows  series=era_by_version
--
-- Notes:
--   Builds that were numbered anew make a low number of a late version: such an owner
--   is paid by version and free by date. Believe the date where you know the day.
--   The guess is the earliest original purchase date of an owner who is free by
--   version, minus outliers: the day before which lies one in a hundred of them. It
--   needs an app with many owners; give the day if you know it.
--
-- Example:
--   receiptmill report freemium-disagreements --database mill.sqlite --param free_since=2020-03-01

WITH known AS (
    SELECT
        environment,
        bundle_id,
        owner_kind,
        owner,
        original_application_version,
        original_purchase_date,
        receipt_sha256,
        era
    FROM owner_evidence
    WHERE era IN ('paid', 'free')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

by_day AS (
    SELECT bundle_id, substr(original_purchase_date, 1, 10) AS day, count(*) AS owners
    FROM known
    WHERE era = 'free'
        AND original_purchase_date IS NOT NULL
    GROUP BY 2, 1
),

placed AS (
    SELECT
        bundle_id,
        day,
        sum(owners) OVER (PARTITION BY bundle_id ORDER BY day) AS place,
        sum(owners) OVER (PARTITION BY bundle_id) AS owners
    FROM by_day
),

switched AS (
    SELECT bundle_id, min(day) AS free_since
    FROM placed
    WHERE place * 100 > owners
    GROUP BY bundle_id
),

judged AS (
    SELECT
        known.environment,
        known.bundle_id,
        known.owner_kind,
        known.owner,
        known.original_application_version,
        known.original_purchase_date,
        known.receipt_sha256,
        known.era,
        coalesce(:free_since, switched.free_since) AS free_since,
        CASE
            WHEN substr(known.original_purchase_date, 1, 10)
                < coalesce(:free_since, switched.free_since) THEN 'paid'
            ELSE 'free'
        END AS era_by_date
    FROM known
    LEFT JOIN switched ON switched.bundle_id = known.bundle_id
    WHERE known.original_purchase_date IS NOT NULL
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    owner_kind,
    owner,
    original_application_version,
    era AS era_by_version,
    original_purchase_date,
    era_by_date,
    free_since,
    receipt_sha256
FROM judged
WHERE era <> era_by_date
    AND free_since IS NOT NULL
ORDER BY 1, 2, 3, 4;
