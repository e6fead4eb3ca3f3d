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
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        coalesce(
            (SELECT day_number FROM calendar WHERE day = :on) * 86400000 + 86399999 - (SELECT ms FROM zone_offset),
            ms
        ) AS ms,
        coalesce(:on || 'T23:59:59' || (SELECT suffix FROM zone_offset), as_of) AS as_of
    FROM app_horizons
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || coalesce(environment, '(none)') || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

-- The period that began last of those begun by then: on another day than that of the newest document, which is kept.
begun AS (
    SELECT held.*, moments.environment, moments.bundle_id, moments.ms, moments.as_of
    FROM held_periods_by_number AS held
    CROSS JOIN moments
    WHERE :on IS NOT NULL
        AND moments.app_number = held.app_number
        AND held.begin_ms <= moments.ms
        AND coalesce(held.own_next_ms, moments.ms + 1) > moments.ms
),

unpaid AS (
    SELECT
        spans.purchase_number,
        max(spans.grace_ms) AS grace_ms,
        max(spans.grace_until) AS grace_until,
        max(CASE WHEN spans.from_ms <= moments.ms AND spans.until_ms > moments.ms THEN 1 ELSE 0 END) AS is_retried
    FROM unpaid_spans_by_number AS spans
    JOIN moments ON moments.app_number = spans.app_number
    GROUP BY spans.purchase_number
),

judged AS (
    SELECT
        begun.*,
        unpaid.grace_until,
        CASE
            WHEN begun.revoked_ms <= begun.ms THEN 'revoked'
            WHEN begun.end_ms IS NULL AND begun.is_subscription = 1 THEN 'unknown'
            WHEN coalesce(begun.end_ms, begun.ms + 1) > begun.ms THEN 'active'
            WHEN unpaid.grace_ms > begun.ms AND coalesce(begun.next_ms, begun.ms + 1) > begun.ms THEN 'grace'
            WHEN unpaid.is_retried = 1 THEN 'billing_retry'
            WHEN begun.is_subscription = 0 OR begun.next_ms IS NOT NULL THEN 'expired'
            WHEN horizon.known_until_ms >= begun.end_ms THEN 'expired'
            ELSE 'unknown'
        END AS state
    FROM begun
    LEFT JOIN unpaid ON unpaid.purchase_number = begun.purchase_number
    LEFT JOIN subscription_horizons AS horizon
        ON horizon.original_number = begun.original_number
        AND horizon.app_number = begun.app_number
),

-- Names are looked up behind, of these alone.
named AS (
    SELECT
        judged.environment,
        judged.bundle_id,
        contact.owner,
        contact.owner_kind,
        product_names.product_id,
        lasting.transaction_id AS source_transaction_id,
        lasting.starts,
        CASE judged.state
            WHEN 'revoked' THEN judged.revoked
            WHEN 'grace' THEN judged.grace_until
            ELSE judged.ends
        END AS ends,
        lasting.ownership,
        judged.state,
        judged.as_of,
        contact.account_id,
        contact.device_id,
        judged.last_seen
    FROM judged
    CROSS JOIN lasting_purchases AS lasting
    LEFT JOIN product_names ON product_names.product_number = lasting.product_number
    LEFT JOIN contacts_by_number AS contact ON contact.contact_number = judged.contact_number
    WHERE lasting.purchase_number = judged.purchase_number
    UNION ALL
    SELECT
        moments.environment,
        moments.bundle_id,
        held.owner,
        held.owner_kind,
        held.product_id,
        held.source_transaction_id,
        held.starts,
        held.ends,
        held.ownership,
        held.state,
        held.as_of,
        held.account_id,
        held.device_id,
        held.last_seen
    FROM owner_entitlements AS held
    CROSS JOIN moments
    WHERE :on IS NULL
        AND moments.app_number = held.app_number
)

SELECT
    environment,
    bundle_id,
    coalesce(owner, '(none)') AS owner,
    coalesce(owner_kind, 'none') AS owner_kind,
    coalesce(product_id, '(none)') AS product_id,
    source_transaction_id,
    starts,
    ends,
    ownership,
    state,
    as_of,
    account_id,
    device_id,
    last_seen
FROM named
WHERE coalesce(:product, 'all') IN ('all', product_id)
    AND (
        coalesce(:state, 'all') IN ('all', state)
        OR (:state = 'usable' AND state IN ('active', 'grace'))
    )
ORDER BY 1, 2, 4, 3, 5, 6;
