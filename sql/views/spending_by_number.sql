-- The owners of owner_spending without names: what it names and owners_by_number counts. One row per owner of an app.
--
-- Columns:
--   app_number       –                        –               the app's number in this database alone
--   owner            –                        line            as in app_owners
--   is_device        0 or 1                   –               1: a device, without an account
--   version_place    –                        attribute 19    that of version_places, of the version first got
--   first_seen_ms    milliseconds since 1970  –               when the owner first presented a receipt
--   got_ms           milliseconds since 1970  attribute 18    when the owner first got the app, as in owner_spending
--   best             –                        –               as in owner_spending
--   first_bought_day  days since 1970         –               as in owner_spending
CREATE VIEW spending_by_number AS
WITH stated AS (
    -- Of each receipt's purchases, 1 and 2 as in best; above them what was bought, the earliest greatest, so that one
    -- number finds both; days stay below 1 << 23, which stands for none. Sorting all of them takes half as long as
    -- looking up those of each receipt, which lie all over. A transaction of another app is none of the receipt's.
    SELECT receipt_id, app_id, max(said) AS said
    FROM (
        SELECT
            receipt_purchase.receipt_id,
            purchase.app_id,
            CASE
                WHEN purchase.cancellation_date IS NOT NULL THEN 1
                WHEN purchase.is_trial_period <> 0 THEN 2
                ELSE (3 << 24) - coalesce((purchase.purchase_date + (SELECT ms FROM zone_offset)) / 86400000, 1 << 23)
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
        versions.version_place,
        coalesce(presented.submitted_at, receipt.receipt_creation_date) AS seen_at,
        CASE WHEN receipt.original_purchase_date >= 1199145600000 THEN receipt.original_purchase_date END AS got_at,
        stated.said
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    LEFT JOIN stated ON stated.receipt_id = presented.receipt_id AND stated.app_id = receipt.app_id
    LEFT JOIN version_places AS versions ON versions.version_number = receipt.original_application_version_id
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
            ELSE (3 << 24) - coalesce((purchase.purchase_date + (SELECT ms FROM zone_offset)) / 86400000, 1 << 23)
        END
    FROM relayed_purchases AS relayed
    CROSS JOIN purchase ON purchase.purchase_id = relayed.purchase_number
),

owned AS (
    SELECT
        app_id,
        owner,
        is_device,
        min(version_place) AS version_place,
        min(seen_at) AS first_seen_at,
        min(got_at) AS got_at,
        max(said) AS stated
    FROM shown
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY owner, is_device, app_id
)

SELECT
    app_id AS app_number,
    owner,
    is_device,
    version_place,
    first_seen_at AS first_seen_ms,
    got_at AS got_ms,
    CASE WHEN stated > 2 THEN 3 ELSE stated END AS best,
    CASE WHEN stated > 2 THEN nullif((3 << 24) - stated, 1 << 23) END AS first_bought_day
FROM owned;
