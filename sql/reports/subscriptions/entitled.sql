-- entitled: Who may use what on a day
-- What might each owner use at the end of a day, and whom can one contact about it?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner, source_transaction_id
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments shown, separated by commas; or all
--   :bundle       bundle        all   bundle identifier of the app; or all
--   :on           date(2008-01-01..2040-12-31)  null  day at whose end in UTC it is asked; the newest document of each
--                                             app and environment unless set
--   :state        text(all, usable, active, grace, billing_retry, expired, revoked, unknown)  all  state shown;
--                                             usable: active or grace; or all
--   :product      text          all   product shown; or all
--
-- Columns:
--   environment            text  environment of the purchase
--   bundle_id              text  bundle identifier of the app
--   owner                  text  account, else device, that presented it; (none) where nobody is known
--   owner_kind             text  account, device or none
--   product_id             text  product
--   source_transaction_id  text  the transaction that gives the right
--   starts                 time  when it was bought, or the period began
--   ends                   time  in grace the end of the grace period, else of the period; null of what never ends
--   ownership              text  PURCHASED; FAMILY_SHARED: a family member's share; null where nothing tells it
--   state                  text  active; grace; billing_retry; expired; revoked: refunded; unknown: it is over, and
--                                nothing made since tells how
--   as_of                  time  the moment asked
--   account_id             text  the owner's account; null where the owner is a device
--   device_id              text  the owner's device; of an account, the device on which it was last seen
--   last_seen              time  when the owner last presented anything of the app
--
-- Chart: bars  x=product_id  y=rows  series=state
--
-- Notes:
--   Only active and grace give access. Consumables have no rows.
--   It is what all documents tell of the day, those made since included: a refund, a
--   renewal or a grace period told later counts. The same day asked later can read
--   otherwise, and the store's own answer on that day may have been another.
--   ends is the period's end also where a refund cut it short later: the row of a day
--   after the refund is revoked.
--   One purchase has a row for each owner that presented it. Rows are no sales: family
--   members and owners who share an account are in them.
--   On a day after the newest document of the app, periods end as they stand and read
--   unknown: nobody knows of renewals.
--   last_seen, account_id and device_id are of now, not of the day asked.
--
-- Example:
--   receiptmill report entitled --database mill.sqlite --param on=2025-03-31 --param state=usable

WITH moments AS (
    SELECT
        app_number,
        coalesce(
            (SELECT day_number FROM calendar WHERE day = :on) * 86400000 + 86399999 - (SELECT ms FROM zone_offset),
            ms
        ) AS ms,
        coalesce(:on || 'T23:59:59' || (SELECT suffix FROM zone_offset), as_of) AS as_of
    FROM app_horizons
)

SELECT
    coalesce(states.environment, '(none)') AS environment,
    coalesce(states.bundle_id, '(none)') AS bundle_id,
    coalesce(states.owner, '(none)') AS owner,
    states.owner_kind,
    coalesce(states.product_id, '(none)') AS product_id,
    states.source_transaction_id,
    states.starts,
    states.ends,
    states.ownership,
    states.state,
    moments.as_of,
    contact.account_id,
    contact.device_id,
    contact.last_seen
FROM entitlement_states AS states
CROSS JOIN moments
LEFT JOIN owner_contacts AS contact
    ON contact.owner = states.owner
    AND contact.owner_kind = states.owner_kind
    AND contact.app_number = states.app_number
WHERE moments.app_number = states.app_number
    AND states.from_ms <= moments.ms
    AND (states.until_ms IS NULL OR states.until_ms > moments.ms)
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || coalesce(states.environment, '(none)') || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', states.bundle_id)
    AND coalesce(:product, 'all') IN ('all', states.product_id)
    AND (
        coalesce(:state, 'all') IN ('all', states.state)
        OR (:state = 'usable' AND states.state IN ('active', 'grace'))
    )
ORDER BY 1, 2, 4, 3, 5, 6;
