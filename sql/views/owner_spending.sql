-- One row per owner of an app in an environment, with the era and the best of
-- their purchases: 3 bought, 2 a free trial alone, 1 canceled all. Owners and eras
-- as in app_owners, without the evidence: what is counted needs none, and sorting
-- it takes as long as all else. Purchases are those that the owner presented, inside
-- other documents, too, and those of relayed_purchases.
--
-- Columns:
--   environment                       –                attribute 0   of the owner's receipts
--   bundle_id                         –                attribute 2   of the owner's receipts
--   owner                             –                line          as in app_owners
--   owner_kind                        –                –             account or device
--   original_application_version      –                attribute 19  as in app_owners
--   original_application_version_key  –                attribute 19  the same as text that sorts
--   first_seen_day                    days since 1970  –             day on which the owner first presented a receipt
--   got_day                           days since 1970  attribute 18  day on which the owner first got the app, the earliest
--                                                                    that the owner's receipts state; null where none of
--                                                                    2008 or later is stated
--   era                               –                –             as in app_owners
--   best                              –                –             3: a purchase neither canceled nor a free trial; 2:
--                                                                    a free trial, not canceled; 1: all canceled; null:
--                                                                    no purchase
--   first_bought_day                  days since 1970  –             day of the first purchase that is neither canceled
--                                                                    nor a free trial
CREATE VIEW owner_spending AS
WITH place AS (
    SELECT version_id, version, version_key, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

stated AS (
    -- Of each receipt's purchases, 1 and 2 as in best; above them what was bought, the earliest greatest, so that one
    -- number finds both. Dates stay below 1 << 49, which stands for none. Sorting all of them takes half as long as
    -- looking up those of each receipt, which lie all over. A transaction of another app is none of the receipt's.
    SELECT receipt_id, app_id, max(said) AS said
    FROM (
        SELECT
            receipt_purchase.receipt_id,
            purchase.app_id,
            CASE
                WHEN purchase.cancellation_date IS NOT NULL THEN 1
                WHEN purchase.is_trial_period <> 0 THEN 2
                ELSE (3 << 50) - coalesce(purchase.purchase_date, 1 << 49)
            END AS said
        FROM unshared_purchases AS purchase
        CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
        -- The limit makes a row of what is sorted: without it, all that the number is worked out of is sorted along.
        LIMIT -1
    ) AS purchased
    GROUP BY receipt_id, app_id
),

presented AS (
    SELECT receipt_id, coalesce(account_id, device_id) AS owner, account_id IS NULL AS is_device, submitted_at
    FROM submission
    WHERE device_check <> 'mismatch'
        AND coalesce(account_id, device_id) IS NOT NULL
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        coalesce(submission.account_id, submission.device_id),
        submission.account_id IS NULL,
        coalesce(submission.submitted_at, holder.receipt_creation_date)
    FROM receipt_part
    CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
    CROSS JOIN submission ON submission.receipt_id = holder.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

shown AS (
    SELECT
        receipt.app_id,
        presented.owner,
        presented.is_device,
        place.place,
        coalesce(presented.submitted_at, receipt.receipt_creation_date) AS seen_at,
        CASE WHEN receipt.original_purchase_date >= 1199145600000 THEN receipt.original_purchase_date END AS got_at,
        stated.said
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    LEFT JOIN stated ON stated.receipt_id = presented.receipt_id AND stated.app_id = receipt.app_id
    LEFT JOIN place ON place.version_id = receipt.original_application_version_id
    WHERE receipt.verdict = 'trusted'
        -- Which names no app.
        AND receipt.kind <> 'signed_renewal'
    UNION ALL
    SELECT
        purchase.app_id,
        relayed.owner,
        relayed.owner_kind = 'device',
        NULL,
        NULL,
        NULL,
        CASE
            WHEN purchase.cancellation_date IS NOT NULL THEN 1
            WHEN purchase.is_trial_period <> 0 THEN 2
            ELSE (3 << 50) - coalesce(purchase.purchase_date, 1 << 49)
        END
    FROM relayed_purchases AS relayed
    CROSS JOIN purchase ON purchase.purchase_id = relayed.purchase_number
),

owned AS (
    SELECT
        app_id,
        owner,
        is_device,
        min(place) AS place,
        min(seen_at) AS first_seen_at,
        min(got_at) AS got_at,
        max(said) AS stated
    FROM shown
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY owner, is_device, app_id
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    owned.owner,
    CASE WHEN owned.is_device THEN 'device' ELSE 'account' END AS owner_kind,
    first_version.version AS original_application_version,
    first_version.version_key AS original_application_version_key,
    (owned.first_seen_at + (SELECT ms FROM zone_offset)) / 86400000 AS first_seen_day,
    (owned.got_at + (SELECT ms FROM zone_offset)) / 86400000 AS got_day,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR first_version.version_key IS NULL THEN 'unknown'
        WHEN first_version.version_key < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era,
    CASE WHEN owned.stated > 2 THEN 3 ELSE owned.stated END AS best,
    CASE WHEN owned.stated > 2 THEN (nullif((3 << 50) - owned.stated, 1 << 49) + (SELECT ms FROM zone_offset)) / 86400000 END AS first_bought_day
FROM owned
JOIN app ON app.app_id = owned.app_id
LEFT JOIN place AS first_version ON first_version.place = owned.place
LEFT JOIN app_setting AS setting ON setting.bundle_id = app.bundle_id;
