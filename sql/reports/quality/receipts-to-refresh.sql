-- receipts-to-refresh: Receipts that their devices should refresh once
-- Which devices and accounts should refresh their receipt, and why?
--
-- Grain: one row per bundle_id, device_id, owner, reason
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   environment        text     environment of the newest receipt concerned; (none) where absent
--   bundle_id          text     bundle identifier of the app; (none) where absent
--   device_id          text     the device, as the lines write it; (none) where only the account is known
--   account_id         text     the account with the greatest name of those that presented it; null where none is
--                               known
--   reason             text     no_original_version, hash_mismatch, superseded or not_trusted
--   submissions        integer  submissions of such a receipt by the device
--   last_submitted_at  time     the last of them; null where the archive does not say
--   receipt_sha256     text     one such receipt: of the last submission
--   app_version        text     app version of that receipt
--   owner              text     who may be written to: the account, else the device
--   owner_kind         text     account or device
--   last_seen          time     when the owner presented anything of the app last
--   as_of              time     when the newest document of the app in that environment was made; null where none
--                               is trusted
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
--   A device may have several reasons, each on a row; so may an account without one.
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
    WHERE coalesce(device_id, account_id) IS NOT NULL
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
        submission_id,
        receipt_sha256,
        app_version,
        max(account_id) OVER whole AS account_id,
        count(*) OVER whole AS submissions,
        first_value(submission_id) OVER whole AS last_submission_id
    FROM concerned
    WINDOW whole AS (
        PARTITION BY device_id, reason, bundle_id, CASE WHEN device_id IS NULL THEN account_id END
        ORDER BY submitted_at DESC NULLS LAST, submission_id DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
),

chosen AS (
    SELECT
        placed.*,
        coalesce(account_id, device_id) AS owner,
        CASE WHEN account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind
    FROM placed
    WHERE submission_id = last_submission_id
),

-- Grouped, so that SQLite finds an owner and an app by an index.
contact AS (
    SELECT
        owner,
        owner_kind,
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        max(last_seen) AS last_seen
    FROM stale_owners
    GROUP BY 1, 2, 3, 4
),

seen AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        max(as_of) AS as_of
    FROM app_horizons
    GROUP BY 1, 2
)

SELECT
    chosen.environment,
    chosen.bundle_id,
    coalesce(chosen.device_id, '(none)') AS device_id,
    chosen.account_id,
    chosen.reason,
    chosen.submissions,
    chosen.submitted_at AS last_submitted_at,
    chosen.receipt_sha256,
    chosen.app_version,
    chosen.owner,
    chosen.owner_kind,
    -- What is not trusted shows nobody, but was sent by somebody.
    CASE
        WHEN contact.last_seen >= coalesce(chosen.submitted_at, '') THEN contact.last_seen
        ELSE chosen.submitted_at
    END AS last_seen,
    seen.as_of
FROM chosen
LEFT JOIN contact
    ON contact.owner = chosen.owner
    AND contact.owner_kind = chosen.owner_kind
    AND contact.bundle_id = chosen.bundle_id
    AND contact.environment = chosen.environment
LEFT JOIN seen
    ON seen.environment = chosen.environment
    AND seen.bundle_id = chosen.bundle_id
ORDER BY chosen.reason, chosen.bundle_id, 3, chosen.owner;
