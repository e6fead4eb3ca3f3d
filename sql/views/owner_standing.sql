-- Owners of an app in an environment, counted by the version that they first got
-- and by the best of their purchases, as in owner_spending but without the day:
-- one purchase that is neither canceled nor a free trial settles an owner, and the
-- others need not be looked up. Counting by number before names are looked up is
-- what lets reports over all owners answer fast.
--
-- Columns:
--   environment                       –       attribute 0   of the owners' receipts
--   bundle_id                         –       attribute 2   of the owners' receipts
--   original_application_version      –       attribute 19  as in app_owners
--   original_application_version_key  –       attribute 19  the same as text that sorts
--   era                               –       –             as in app_owners
--   best                              –       –             as in owner_spending
--   owners                            owners  –             how many
CREATE VIEW owner_standing AS
WITH place AS (
    SELECT version_id, version, version_key, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

shown AS (
    SELECT receipt_id, coalesce(account_id, device_id) AS owner, account_id IS NULL AS is_device
    FROM submission
    WHERE device_check <> 'mismatch'
        AND coalesce(account_id, device_id) IS NOT NULL
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        coalesce(submission.account_id, submission.device_id),
        submission.account_id IS NULL
    FROM receipt_part
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

-- Few purchases were canceled or are trials: a receipt that states more than these states one that was bought. A
-- trusted receipt's purchases are all known.
lesser AS (
    SELECT
        receipt_purchase.receipt_id,
        purchase.app_id,
        count(*) AS purchases,
        max(CASE WHEN purchase.cancellation_date IS NULL THEN 2 ELSE 1 END) AS best
    FROM purchase
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = purchase.transaction_id
    WHERE purchase.cancellation_date IS NOT NULL
        OR purchase.is_trial_period <> 0
    GROUP BY receipt_purchase.receipt_id, purchase.app_id
),

stating AS (
    SELECT receipt_id, count(*) AS purchases
    FROM receipt_purchase
    WHERE receipt_id IN (SELECT receipt_id FROM lesser)
    GROUP BY receipt_id
),

presented AS (
    SELECT
        receipt.app_id,
        shown.owner,
        shown.is_device,
        place.place,
        CASE
            WHEN receipt.purchase_count = 0 THEN NULL
            WHEN lesser.receipt_id IS NULL OR lesser.purchases < stating.purchases THEN 3
            ELSE lesser.best
        END AS best
    FROM shown
    CROSS JOIN receipt ON receipt.receipt_id = shown.receipt_id
    LEFT JOIN lesser
        ON lesser.receipt_id = receipt.receipt_id
        AND lesser.app_id = receipt.app_id
    LEFT JOIN stating ON stating.receipt_id = lesser.receipt_id
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
        CASE
            WHEN purchase.cancellation_date IS NOT NULL THEN 1
            WHEN purchase.is_trial_period <> 0 THEN 2
            ELSE 3
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
        max(best) AS best
    FROM presented
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY owner, is_device, app_id
),

counted AS (
    SELECT app_id, place, best, count(*) AS owners
    FROM owned
    GROUP BY place, best, app_id
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    first_version.version AS original_application_version,
    first_version.version_key AS original_application_version_key,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR first_version.version_key IS NULL THEN 'unknown'
        WHEN first_version.version_key < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era,
    counted.best,
    counted.owners
FROM counted
JOIN app ON app.app_id = counted.app_id
LEFT JOIN place AS first_version ON first_version.place = counted.place
LEFT JOIN app_setting AS setting ON setting.bundle_id = app.bundle_id;
