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
--   environment        text     environment of the receipt; (none) where absent
--   bundle_id          text     bundle identifier of the app; (none) where absent
--   device_id          text     the device, as the lines write it; (none) where only the account is known
--   account_id         text     the account with the last name, by its bytes, of those that presented it; null if none
--                               is known
--   reason             text     no_original_version, hash_mismatch, superseded or not_trusted
--   submissions        integer(submissions)  submissions of such a receipt by the device
--   last_submitted_at  time     the last of them; null if the archive does not say
--   receipt_sha256     text     one such receipt: of the last submission
--   app_version        text     app version of that receipt
--   owner              text     who may be written to: the account, else the device
--   owner_kind         text     account or device
--   last_seen          time     when the owner presented anything of the app last
--   as_of              time     when the newest document of the app in that environment was made
--
-- Shown: bundle_id, owner, reason, submissions, last_submitted_at, app_version, last_seen
-- Total: submissions
-- Chart: bars  x=reason  y=submissions
--
-- Notes:
--   no_original_version: attribute 19 is absent, as in receipts before 2013-06-20.
--   hash_mismatch: the receipt was made for another device, as after a move to a new one; a thief's copy looks the
--   same.
--   not_trusted: verification fails; if the device is honest, a new receipt mends it.
--   superseded: the device presented this receipt after a newer one of its installation had been created.
--   Apps of which nothing is trusted are not shown: a forger may write any name. Lines that could not be read at all
--   name no device: see archive-loads with by=reason.
--   A device may have several reasons, each on a row; so may an account without one.
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
