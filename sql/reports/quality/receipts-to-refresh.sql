-- receipts-to-refresh: Receipts that their devices should refresh once
-- Which devices and accounts should refresh their receipt, and why?
--
-- Grain: one row per environment, bundle_id, device_id, owner, reason
-- Aliases: stale-receipts
--
-- Parameters:
--   :reason  text(no_original_version, hash_mismatch, superseded, not_trusted, all)  all  reason shown; or all
--
-- Columns:
--   environment        text     environment of the receipt; (none) if absent
--   bundle_id          text     bundle identifier of the app; (none) if absent
--   device_id          text     the device, as the lines write it; (none) if only the account is known
--   account_id         text     account that presented a receipt to refresh; of several, the last in alphabetical
--                               order; null if unknown
--   reason             text     no_original_version, hash_mismatch, superseded or not_trusted
--   submissions        integer(submissions)  number of submissions of receipts to refresh
--   last_submitted_at  time     time of the last submission of a receipt to refresh; null if no line states one
--   receipt_sha256     text     SHA-256 of the receipt of the last submission
--   app_version        text     version of the app that the receipt of the last submission states
--   owner              text     whom to contact: the account, else the device
--   owner_kind         text     what identifies the owner: account or device
--   last_seen          time     when the owner last presented a document of the app
--   as_of              time     when the newest document of the app in that environment was created
--
-- Shown: bundle_id, owner, reason, submissions, last_submitted_at, app_version, last_seen
-- Total: submissions
-- Chart: bars  x=reason  y=submissions
--
-- Notes:
--   - no_original_version: attribute 19 is absent, as in receipts before 2013-06-20.
--   - hash_mismatch: the receipt was made for another device, as after a move to a new one; a stolen copy looks the
--     same.
--   - not_trusted: verification fails; if the device is honest, a new receipt solves this.
--   - superseded: the device presented this receipt after a newer receipt of its installation had been created.
--   Apps without any trusted document are not shown, since a forger may write any name. Lines that could not be read at
--   all name no device: see the report archive-loads with by=reason.
--   A device may have several reasons, each in a row of its own; so may an account without a device.
--
-- Example:
--   receiptmill report receipts-to-refresh --database mill.sqlite

SELECT
    apps.environment, apps.bundle_id,
    coalesce(stale.device_id, '(none)') AS device_id,
    stale.account_id, stale.reason, stale.submissions, stale.last_submitted_at, stale.receipt_sha256,
    stale.app_version, stale.owner, stale.owner_kind, stale.last_seen, apps.as_of
FROM apps
JOIN stale_receipts AS stale ON stale.app_id = apps.app_id
WHERE coalesce(:reason, 'all') IN ('all', stale.reason)
ORDER BY stale.reason, apps.bundle_id, apps.environment, 3, stale.owner;
