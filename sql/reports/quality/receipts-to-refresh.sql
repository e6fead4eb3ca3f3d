-- receipts-to-refresh: Receipts that their devices should refresh once
-- Which devices should refresh their receipt, and why?
--
-- Grain: one row per bundle_id, device_id, reason
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   environment        text     environment of the newest receipt concerned; (none) where absent
--   bundle_id          text     bundle identifier of the app; (none) where absent
--   device_id          text     the device, as the lines write it
--   account_id         text     the account with the greatest name of those that presented it; null where none is known
--   reason             text     no_original_version, hash_mismatch, superseded or not_trusted
--   submissions        integer  submissions of such a receipt by the device
--   last_submitted_at  time     the last of them; null where the archive does not say
--   receipt_sha256     text     one such receipt: of the last submission
--   app_version        text     app version of that receipt
--
-- Chart: bars  x=reason  y=submissions
--
-- Notes:
--   no_original_version: attribute 19 is absent, as in receipts before 2013-06-20.
--   hash_mismatch: the receipt was made for another device, as after a move to a new
--   one; a thief's copy looks the same. not_trusted: verification fails; if the
--   device is honest, a new receipt mends it. superseded: the device presented this
--   receipt after a newer one of its installation had been created.
--   Lines that could not be read at all name no device: see rejections-by-reason.
--   A device may have several reasons, each on a row.
--
-- Example:
--   receiptmill report receipts-to-refresh --database mill.sqlite

WITH concerned AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        device_id,
        account_id,
        reason,
        submitted_at,
        submission_id,
        receipt_sha256,
        app_version
    FROM stale_presentations
    WHERE device_id IS NOT NULL
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

placed AS (
    SELECT
        environment,
        bundle_id,
        device_id,
        reason,
        submitted_at,
        receipt_sha256,
        app_version,
        max(account_id) OVER (PARTITION BY bundle_id, device_id, reason) AS account_id,
        count(*) OVER (PARTITION BY bundle_id, device_id, reason) AS submissions,
        row_number() OVER (
            PARTITION BY bundle_id, device_id, reason
            ORDER BY submitted_at DESC NULLS LAST, submission_id DESC
        ) AS place
    FROM concerned
)

SELECT
    environment,
    bundle_id,
    device_id,
    account_id,
    reason,
    submissions,
    submitted_at AS last_submitted_at,
    receipt_sha256,
    app_version
FROM placed
WHERE place = 1
ORDER BY reason, bundle_id, device_id;
