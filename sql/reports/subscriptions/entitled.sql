-- entitled: Who may use what on a day
-- What might each owner use at the end of a day, and whom can one contact about it?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner, source_transaction_id
-- Aliases: entitlements, who-may-use
--
-- Parameters:
--   :on       date(2008-01-01..2040-12-31)  null  day at whose end states are shown; unless set, states are shown as of
--                                           the newest document of each app and environment
--   :state    text(all, usable, active, grace, billing_retry, expired, revoked, unknown)  all  state shown; usable:
--                                           active or grace; or all
--   :product  text  all  product shown; or all
--
-- Columns:
--   environment            text  environment of the purchase
--   bundle_id              text  bundle identifier of the app
--   owner                  text  account, else device, that presented the purchase; (none) if unknown
--   owner_kind             text  what identifies the owner: account, device or none
--   product_id             text  product bought
--   source_transaction_id  text  transaction that entitles the owner; for a restored copy, the transaction that it
--                                copies
--   starts                 time  when the product was bought, or the period began
--   ends                   time  end of the period; in grace, end of the grace period; in revoked, time of the
--                                revocation; null if there is no end, or for an upgraded period whose next period is
--                                unknown
--   ownership              text  PURCHASED, or a member's share: FAMILY_SHARED or ASSIGNED; null if no document states
--                                it
--   state                  text  active; grace; billing_retry; expired; revoked: refunded or withdrawn; unknown: the
--                                period is over, and no later document states how it ended
--   as_of                  time  the moment for which states are shown
--   account_id             text  the owner's account; null if the owner is a device
--   device_id              text  the owner's device; of an account, the device on which it was last seen
--   last_seen              time  when the owner last presented a document of the app
--
-- Shown: owner, product_id, state, ends, starts, bundle_id
-- Chart: bars  x=product_id  y=rows  series=state
--
-- Notes:
--   Only active and grace give access. Consumables have no rows. billing_retry lasts for at most the 60 days in which
--   the store retries a payment, or 90 days for a commitment billed by the month; then the state is expired.
--   All documents count, also those made after the day: for example, a refund, a renewal or a grace period that was
--   stated later. The same day can therefore have another state if you ask again later, and the store may have answered
--   differently on that day.
--   A state is expired only if a document made after the period's end shows no next period: a document of the purchase,
--   a receipt of an owner who presented it, or notifications of the app from before that end to a week after it.
--   Otherwise it is unknown. A later payment that no document states is still possible, so the report
--   subscription-churn waits for 60 days.
--   If a refund cut the period short after the day shown, ends is still the end of the period; on days after the
--   refund, the state is revoked. A purchase has one row for each owner that presented it. Rows are no sales: family
--   members and owners who share an account have rows, too.
--   On a day after the app's newest document, periods end as planned and their state is unknown, since no document
--   states renewals.
--   last_seen, account_id and device_id are the latest known values, not those of the day.
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
