-- entitled: Who may use what on a day
-- What might each owner use at the end of a day, and whom can one contact about it?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner, source_transaction_id
-- Aliases: entitlements, who-may-use
--
-- Parameters:
--   :on       date(2008-01-01..2040-12-31)  null  day at whose end it is asked; the newest document of each app and
--                                           environment unless set
--   :state    text(all, usable, active, grace, billing_retry, expired, revoked, unknown)  all  state shown; usable:
--                                           active or grace; or all
--   :product  text  all  product shown; or all
--
-- Columns:
--   environment            text  environment of the purchase
--   bundle_id              text  bundle identifier of the app
--   owner                  text  account, else device, that presented it; (none) where nobody is known
--   owner_kind             text  account, device or none
--   product_id             text  product
--   source_transaction_id  text  the transaction that gives the right; of restored copies the one that they copy
--   starts                 time  when it was bought, or the period began
--   ends                   time  in grace the end of the grace period, of revoked when that was, else the end of the
--                                period; null for what never ends
--   ownership              text  PURCHASED; FAMILY_SHARED or ASSIGNED: a member's share; null if nothing tells it
--   state                  text  active; grace; billing_retry; expired; revoked: refunded or withdrawn; unknown: it is
--                                over, and nothing made since tells how
--   as_of                  time  the moment asked
--   account_id             text  the owner's account; null if the owner is a device
--   device_id              text  the owner's device; of an account, the device on which it was last seen
--   last_seen              time  when the owner last presented anything of the app
--
-- Shown: owner, product_id, state, ends, starts, bundle_id
-- Chart: bars  x=product_id  y=rows  series=state
--
-- Notes:
--   Only active and grace give access. Consumables have no rows. billing_retry lasts for the 60 days in which the store
--   retries a payment, 90 of a commitment billed by the month, at most; then it is expired.
--   It is what all documents tell of the day, those made since included: a refund, a renewal or a grace period told
--   later counts. The same day asked later can read otherwise, and the store's own answer on that day may have been
--   another. expired needs a document made after the period's end that does not tell of a next one: its own, a receipt
--   of who presented it, or notifications of the app from before its end to a week after it. Without one it is unknown.
--   A payment that came later still, and that no document tells of, is not ruled out: subscription-churn waits for 60
--   days. ends is the period's end also where a refund cut it short later: the row of a day after the refund is
--   revoked. One purchase has a row for each owner that presented it. Rows are no sales: family members and owners who
--   share an account are in them.
--   On a day after the newest document of the app, periods end as planned and their state is unknown, since no document
--   states renewals.
--   last_seen, account_id and device_id are of now, not of the day asked.
--
-- Example:
--   receiptmill report entitled --database mill.sqlite on=2025-03-31 state=usable

SELECT
    apps.environment, apps.bundle_id, coalesce(span.owner, '(none)') AS owner, span.owner_kind,
    coalesce(span.product_id, '(none)') AS product_id,
    span.source_transaction_id, span.starts, span.ends, span.ownership, span.state,
    coalesce((SELECT closes FROM days WHERE day = :on), apps.as_of) AS as_of,
    span.account_id, span.device_id, span.last_seen
FROM apps
JOIN entitlement_spans AS span ON span.app_id = apps.app_id
WHERE span.from_ms <= coalesce((SELECT ends_ms - 1 FROM days WHERE day = :on), apps.horizon_ms)
    AND (span.until_ms IS NULL OR span.until_ms > coalesce((SELECT ends_ms - 1 FROM days WHERE day = :on), apps.horizon_ms))
    AND coalesce(:product, 'all') IN ('all', span.product_id)
    AND (
        coalesce(:state, 'all') IN ('all', span.state)
        OR (:state = 'usable' AND span.state IN ('active', 'grace'))
    )
ORDER BY coalesce(span.owner, ''), span.owner_kind, apps.environment, apps.bundle_id, span.source_transaction_id;
