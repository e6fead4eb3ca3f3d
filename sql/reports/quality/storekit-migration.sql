-- storekit-migration: From receipts to signed data of StoreKit 2
-- How far has an app moved from receipts to signed data, and when did the last receipt come?
--
-- Grain: one row per environment, bundle_id, month, app_version
-- Aliases: sources
--
-- Parameters:
--   :by  text(app, version)  app  whether rows are split by version of the app, too
--
-- Columns:
--   environment            text     environment of the documents
--   bundle_id              text     bundle identifier of the app
--   month                  month    month in which the documents were presented; if the line states no time, month in
--                                   which they were created
--   app_version            text     the highest version that the owner's documents of the month state; (none) if they
--                                   state none; (all) unless :by is version
--   owners                 integer(owners)  owners who presented a document in the month
--   receipts_only          integer(owners)  of the owners, those who presented only receipts
--   both_sources           integer(owners)  of the owners, those who presented receipts and signed data
--   signed_only            integer(owners)  of the owners, those who presented only signed data
--   signed_share           share    (both_sources + signed_only) ÷ owners
--   ownerless_submissions  integer(submissions)  submissions that name neither account nor device
--   receipt_submissions    integer(submissions)  submissions of receipts, with or without an owner
--   signed_submissions     integer(submissions)  submissions of signed data, with or without an owner
--   last_receipt_month     month    month of the app's last receipt, of any version and month; empty if there is none
--
-- Shown: bundle_id, month, app_version, owners, receipts_only, both_sources, signed_only, signed_share, last_receipt_month
-- Chart: area  x=month  y=receipts_only,both_sources,signed_only
--
-- Notes:
--   The report counts what apps and their servers present: receipts, transactions and app transactions. Notifications,
--   their contents, and renewal infos are left out, because the store sends them whatever the app does. The column
--   price_source of the report revenue shows which purchases have a signed price.
--   Signed transactions state no version of the app, so an owner whose app moves to them alone moves to (none). An
--   owner counts once in each month, so owners of several months cannot be added. Old submissions that were deleted by
--   retention are not counted.
--
-- Example:
--   receiptmill report storekit-migration --database mill.sqlite from=2025-01 by=version

WITH counted AS (
    SELECT
        source.app_id, months.month,
        CASE WHEN coalesce(:by, 'app') = 'version' THEN source.version_id ELSE -1 END AS version_id,
        sum(source.owners) AS owners,
        sum(source.receipts_only) AS receipts_only,
        sum(source.signed_only) AS signed_only,
        sum(source.ownerless_submissions) AS ownerless_submissions,
        sum(source.receipt_submissions) AS receipt_submissions,
        sum(source.signed_submissions) AS signed_submissions
    FROM apps
    JOIN model_sources AS source ON source.app_id = apps.app_id
    JOIN months ON months.month_number = source.month_number
    GROUP BY 1, 2, 3
),

lasts AS (
    SELECT app_id, max(month_number) AS month_number FROM model_sources WHERE receipt_submissions > 0 GROUP BY app_id
)

SELECT
    apps.environment, apps.bundle_id, counted.month,
    CASE WHEN coalesce(:by, 'app') = 'version' THEN coalesce(version.version, '(none)') ELSE '(all)' END AS app_version,
    counted.owners, counted.receipts_only,
    counted.owners - counted.receipts_only - counted.signed_only AS both_sources,
    counted.signed_only,
    round(CAST(counted.owners - counted.receipts_only AS DOUBLE) / nullif(counted.owners, 0), 4) AS signed_share,
    counted.ownerless_submissions, counted.receipt_submissions, counted.signed_submissions,
    last_month.month AS last_receipt_month
FROM counted
JOIN apps ON apps.app_id = counted.app_id
LEFT JOIN version ON version.version_id = counted.version_id
LEFT JOIN lasts ON lasts.app_id = counted.app_id
LEFT JOIN model_months AS last_month ON last_month.month_number = lasts.month_number
ORDER BY 1, 2, 3, coalesce(version.version_key, ''), 4;
