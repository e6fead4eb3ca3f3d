-- Users who presented documents: an account, else a device, in one app and environment.
--
-- Grain: one row per user
-- Key: user_id
-- Index: name, app_id, is_device
-- Slice: user_id
-- Reference: app_id = app(app_id)
-- Reference: version_id = version(version_id)
--
-- Columns:
--   user_id            INTEGER!  –       number of the user, as in model_user_numbers
--   app_id             INTEGER!  –       app and environment, by the loader's number
--   name               TEXT!     –       name of the user: the account, else the device
--   is_device          INTEGER!  0 or 1  1: the user is a device, because no account is named
--   first_seen_ms      INTEGER   ms      when the user first presented a document
--   last_seen_ms       INTEGER   ms      when the user last presented a document
--   device_id          TEXT      –       device on which the user was last seen and can be reached; if several at that
--                                        moment, the alphabetically last
--   first_created_ms   INTEGER   ms      when the user's oldest document was created
--   newest_listing_ms  INTEGER   ms      when the user's newest app receipt, which lists all purchases, was created
--   installed_ms       INTEGER   ms      earliest original purchase date of the app that the user's documents state
--   version_id         INTEGER   –       the earliest original version of the app that the user's documents state, by
--                                        the loader's number; of the versions of several platforms, one from before
--                                        the app became free precedes later ones
--   version_sha256     BLOB      –       digest of a document that states version_id; if several, the lowest
--   platform           TEXT!     –       platform on which the app was obtained, as the document of version_id states:
--                                        ios, macos, tvos, visionos or other; mobile: not macOS, since the hash
--                                        contains a UUID; empty if unknown
WITH places AS (
    SELECT version_id, version_key, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

told AS (
    SELECT
        presentation.user_id,
        presentation.app_id,
        presentation.is_device,
        presentation.submission_id,
        presentation.presented_ms,
        presentation.listing_ms,
        submission.device_id,
        CASE WHEN submission.device_id IS NOT NULL THEN presentation.presented_ms END AS reached_ms,
        receipt.sha256,
        receipt.receipt_creation_date AS created_ms,
        CASE WHEN receipt.original_purchase_date >= 1199145600000 THEN receipt.original_purchase_date END AS installed_ms,
        receipt.original_application_version_id AS version_id,
        CASE
            WHEN lower(stated.original_platform) IN ('ios', 'macos', 'tvos', 'visionos') THEN lower(stated.original_platform)
            WHEN stated.original_platform IS NOT NULL THEN 'other'
            -- A receipt's hash contains a network address on macOS, and a UUID on other platforms, so the identifier
            -- that matches shows the platform.
            WHEN receipt.kind <> 'app_receipt' OR submission.device_check <> 'match' THEN ''
            WHEN length(submission.device_id) = 8
                OR length(replace(replace(replace(submission.device_id, '-', ''), ':', ''), '.', '')) = 12
                THEN 'macos'
            WHEN length(submission.device_id) IN (22, 24) OR length(replace(submission.device_id, '-', '')) = 32 THEN 'mobile'
            ELSE ''
        END AS platform
    FROM model_presentations AS presentation
    JOIN submission ON submission.submission_id = presentation.submission_id
    JOIN receipt ON receipt.receipt_id = presentation.receipt_id
    LEFT JOIN app_transaction AS stated ON stated.receipt_id = presentation.receipt_id
),

shown AS (
    SELECT
        told.*,
        -- In the user's favour, paid versions precede free ones; then lower versions precede higher ones.
        places.place + CASE
            WHEN free.first_free_version_key IS NULL THEN 8589934592
            WHEN places.version_key < free.first_free_version_key THEN 0
            ELSE 4294967296
        END AS place
    FROM told
    JOIN app ON app.app_id = told.app_id
    LEFT JOIN places ON places.version_id = told.version_id
    LEFT JOIN internal_first_free AS free ON free.bundle_id = app.bundle_id AND free.platform = told.platform
),

seen AS (
    SELECT
        user_id,
        min(app_id) AS app_id,
        min(is_device) AS is_device,
        min(submission_id) AS submission_id,
        min(presented_ms) AS first_seen_ms,
        max(presented_ms) AS last_seen_ms,
        max(reached_ms) AS reached_ms,
        min(created_ms) AS first_created_ms,
        max(listing_ms) AS newest_listing_ms,
        min(installed_ms) AS installed_ms,
        min(place) AS place
    FROM shown
    GROUP BY user_id
),

chosen AS (
    SELECT
        shown.user_id,
        max(CASE WHEN shown.reached_ms = seen.reached_ms THEN shown.device_id END) AS device_id,
        min(CASE WHEN shown.place = seen.place THEN shown.version_id END) AS version_id,
        min(CASE WHEN shown.place = seen.place THEN shown.sha256 END) AS version_sha256,
        max(CASE WHEN shown.place = seen.place THEN shown.platform END) AS platform
    FROM shown
    JOIN seen ON seen.user_id = shown.user_id
    GROUP BY shown.user_id
)

SELECT
    seen.user_id,
    seen.app_id,
    coalesce(submission.account_id, submission.device_id) AS name,
    seen.is_device,
    seen.first_seen_ms,
    seen.last_seen_ms,
    chosen.device_id,
    seen.first_created_ms,
    seen.newest_listing_ms,
    seen.installed_ms,
    chosen.version_id,
    chosen.version_sha256,
    coalesce(chosen.platform, '') AS platform
FROM seen
JOIN submission ON submission.submission_id = seen.submission_id
JOIN chosen ON chosen.user_id = seen.user_id
