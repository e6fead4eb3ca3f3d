-- Who presents documents: an account, else a device, in one app and environment.
--
-- Grain: one row per user
-- Key: user_id
-- Index: place
--
-- Columns:
--   user_id            INTEGER  –       number of the user in these models
--   app_id             INTEGER  –       app and environment, by the loader's number
--   name               TEXT     –       the account, else the device
--   is_device          INTEGER  0 or 1  1: a device that no account is named for
--   place              INTEGER  –       order in which users own what several present: accounts first, then the first seen
--   first_seen_ms      INTEGER  ms      when it presented a document first
--   last_seen_ms       INTEGER  ms      when it presented one last
--   newest_listing_ms  INTEGER  ms      creation of its newest app receipt, which lists all it has bought
--   installed_ms       INTEGER  ms      first original purchase of the app that its documents state
--   version_place      INTEGER  –       place of the first original version that its documents state
WITH places AS (
    SELECT version_id, row_number() OVER (ORDER BY version_key, version) AS place FROM version
),

seen AS (
    SELECT
        presentation.user_id,
        min(presentation.app_id) AS app_id,
        min(presentation.is_device) AS is_device,
        min(presentation.submission_id) AS submission_id,
        min(presentation.presented_ms) AS first_seen_ms,
        max(presentation.presented_ms) AS last_seen_ms,
        max(presentation.listing_ms) AS newest_listing_ms,
        min(CASE WHEN receipt.original_purchase_date >= 1199145600000 THEN receipt.original_purchase_date END)
            AS installed_ms,
        min(places.place) AS version_place
    FROM model_presentations AS presentation
    JOIN receipt ON receipt.receipt_id = presentation.receipt_id
    LEFT JOIN places ON places.version_id = receipt.original_application_version_id
    GROUP BY presentation.user_id
)

SELECT
    seen.user_id,
    seen.app_id,
    coalesce(submission.account_id, submission.device_id) AS name,
    seen.is_device,
    row_number() OVER (
        ORDER BY seen.is_device, coalesce(seen.first_seen_ms, 9223372036854775807), coalesce(submission.account_id, submission.device_id), seen.app_id
    ) AS place,
    seen.first_seen_ms,
    seen.last_seen_ms,
    seen.newest_listing_ms,
    seen.installed_ms,
    seen.version_place
FROM seen
JOIN submission ON submission.submission_id = seen.submission_id
