-- One row per owner of an app in an environment: the account where known, else
-- the device, that presented a trusted receipt, with the evidence of when the
-- app was first got. A receipt whose hash belongs to another device proves
-- nothing of who presents it and is left out.
--
-- Of several original versions the earliest counts, in the owner's favour, and
-- of receipts that state it the one with the least SHA-256. The era is known for
-- production receipts that state an original version, of apps whose first free
-- version is set; reason says why it is not.
--
-- Columns:
--   environment                       –                attribute 0   of the owner's receipts
--   bundle_id                         –                attribute 2   of the owner's receipts
--   owner                             –                line          account, else device, as the lines write it
--   owner_kind                        –                –             account or device
--   original_application_version      –                attribute 19  the earliest that the owner's receipts state
--   original_application_version_key  –                attribute 19  the same as text that sorts
--   receipt_sha256                    –                –             a receipt that states it
--   original_purchase_date            time             attribute 18  the earliest of the owner's receipts
--   first_seen_at                     time             line          when the owner first presented a receipt
--   first_seen_day                    days since 1970  –             the same as a day
--   era                               –                –             paid, free or unknown, as in app_owners
--   reason                            –                –             why the era is unknown: sandbox, before_2013_06_20,
--                                                                    no_original_version, app_not_set,
--                                                                    first_free_version_not_set; null where it is known
CREATE VIEW owner_evidence AS
WITH place AS (
    -- Text of one length, so that what stands behind it sorts on its own.
    SELECT
        version_id,
        version,
        version_key,
        printf('%09d', row_number() OVER (ORDER BY version_key, version)) AS place
    FROM version
),

shown AS (
    SELECT
        document.app_number,
        document.owner,
        document.is_device,
        -- Place and digest, as bytes: half of what the sort would carry otherwise.
        place.place || receipt.sha256 AS evidence,
        receipt.original_purchase_date AS purchased_ms,
        receipt.receipt_creation_date AS created_ms,
        document.presented_ms
    FROM owners_by_document AS document
    CROSS JOIN receipt ON receipt.receipt_id = document.receipt_number
    LEFT JOIN place ON place.version_id = document.original_version_number
    -- The limit makes a row of what is sorted: without it, all that the evidence is made of is sorted along.
    LIMIT -1
),

owned AS (
    SELECT
        app_number,
        owner,
        is_device,
        min(evidence) AS evidence,
        min(purchased_ms) AS purchased_ms,
        min(created_ms) AS first_created_ms,
        min(presented_ms) AS first_seen_ms
    FROM shown
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY owner, is_device, app_number
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    owned.owner,
    CASE WHEN owned.is_device = 1 THEN 'device' ELSE 'account' END AS owner_kind,
    first_version.version AS original_application_version,
    first_version.version_key AS original_application_version_key,
    CASE
        WHEN owned.evidence IS NOT NULL THEN lower(hex(substr(CAST(owned.evidence AS BLOB), 10)))
    END AS receipt_sha256,
    strftime('%Y-%m-%dT%H:%M:%SZ', owned.purchased_ms / 1000, 'unixepoch')
        AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', owned.first_seen_ms / 1000, 'unixepoch') AS first_seen_at,
    (owned.first_seen_ms + (SELECT ms FROM zone_offset)) / 86400000 AS first_seen_day,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'unknown'
        WHEN setting.first_free_version_key IS NULL OR first_version.version_key IS NULL THEN 'unknown'
        WHEN first_version.version_key < setting.first_free_version_key THEN 'paid'
        ELSE 'free'
    END AS era,
    CASE
        WHEN app.environment NOT IN ('Production', 'ProductionVPP') THEN 'sandbox'
        WHEN first_version.version_key IS NULL AND owned.first_created_ms < 1371686400000 THEN 'before_2013_06_20'
        WHEN first_version.version_key IS NULL THEN 'no_original_version'
        WHEN setting.bundle_id IS NULL THEN 'app_not_set'
        WHEN setting.first_free_version_key IS NULL THEN 'first_free_version_not_set'
    END AS reason
FROM owned
JOIN app ON app.app_id = owned.app_number
LEFT JOIN place AS first_version ON first_version.place = substr(owned.evidence, 1, 9)
LEFT JOIN app_setting AS setting ON setting.bundle_id = app.bundle_id;
