-- One row per owner of an app in an environment and original version that the owner's
-- trusted documents state, of owners whose documents state more than one. Owners are
-- those of app_owners, where the earliest version counts.
--
-- Columns:
--   environment                       –                   attribute 0   as in receipts
--   bundle_id                         –                   attribute 2   as in receipts
--   owner                             –                   line          as in `app_owners`
--   owner_kind                        –                   –             `account` or `device`
--   original_application_version      –                   attribute 19  the version
--   original_application_version_key  –                   attribute 19  the same as text that sorts
--   receipt_sha256                    –                   –             the newest document that states it
--   kind                              –                   –             its kind
--   creation_date                     time                attribute 12  when that was created
--   creation_second                   seconds since 1970  attribute 12  the same
CREATE VIEW owner_versions AS
WITH stated AS (
    SELECT
        app_number AS app_id,
        owner,
        is_device,
        original_version_number AS version_id,
        receipt_number AS receipt_id
    FROM owners_by_document
    WHERE original_version_number IS NOT NULL
),

several AS (
    SELECT app_id, owner, is_device
    FROM stated
    GROUP BY owner, is_device, app_id
    HAVING min(version_id) <> max(version_id)
),

placed AS (
    SELECT
        several.app_id,
        several.owner,
        several.is_device,
        version.version,
        version.version_key,
        receipt.receipt_id,
        row_number() OVER (
            PARTITION BY several.owner, several.is_device, several.app_id, version.version_key
            ORDER BY receipt.receipt_creation_date DESC, receipt.sha256 DESC
        ) AS place
    -- Several are few, so that they are what an index is made of.
    FROM stated
    CROSS JOIN several
        ON several.owner = stated.owner
        AND several.is_device = stated.is_device
        AND several.app_id = stated.app_id
    JOIN version ON version.version_id = stated.version_id
    JOIN receipt ON receipt.receipt_id = stated.receipt_id
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    placed.owner,
    CASE WHEN placed.is_device = 1 THEN 'device' ELSE 'account' END AS owner_kind,
    placed.version AS original_application_version,
    placed.version_key AS original_application_version_key,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch') AS creation_date,
    receipt.receipt_creation_date / 1000 AS creation_second
FROM placed
JOIN receipt ON receipt.receipt_id = placed.receipt_id
JOIN app ON app.app_id = placed.app_id
WHERE placed.place = 1;
