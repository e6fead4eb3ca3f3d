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

shown AS (
    SELECT
        document.app_number,
        document.owner,
        document.is_device,
        versions.version_place,
        document.presented_ms,
        CASE WHEN document.got_ms >= 1199145600000 THEN document.got_ms END AS got_ms,
        stated.said
    FROM owners_by_document AS document
    LEFT JOIN stated ON stated.receipt_id = document.receipt_number AND stated.app_id = document.app_number
    LEFT JOIN version_places AS versions ON versions.version_number = document.original_version_number
    UNION ALL
    SELECT
        purchase.app_id,
        relayed.owner,
        CASE WHEN relayed.owner_kind = 'device' THEN 1 ELSE 0 END,
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
        app_number,
        owner,
        is_device,
        min(version_place) AS version_place,
        min(presented_ms) AS first_seen_ms,
        min(got_ms) AS got_ms,
        max(said) AS stated
    FROM shown
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY owner, is_device, app_number
)

SELECT
    app_number,
    owner,
    is_device,
    version_place,
    first_seen_ms,
    got_ms,
    CASE WHEN stated > 2 THEN 3 ELSE stated END AS best,
    CASE WHEN stated > 2 THEN nullif((3 << 24) - stated, 1 << 23) END AS first_bought_day
FROM owned;
