-- One row per owner, non-consumable, non-renewing subscription or subscription, and
-- stretch of time with one state: what each owner might use, and when. From the first
-- begin on there is exactly one row for every moment. It is told by all documents,
-- also by those made after the stretch: a renewal, a refund or a grace period told
-- later counts for the days before, too. Consumables are left out. A purchase of
-- unknown type counts as a subscription where it expires, else as a non-consumable.
--
-- A period of a subscription is `active` until it expires, the next begins or it is
-- refunded. Behind its end, until the next: `grace` as far as any renewal info signed
-- since its begin tells; `billing_retry` until a renewal info says no more; then
-- `expired` where the next is known, or the subscription is known until the end
-- (`subscription_horizons`), else `unknown`. A refund makes it `revoked` until the
-- owner's next period. Of a purchase and the copies that restores made, one counts,
-- and a refund of any is a refund.
--
-- Owners are found as in app_owners, and what stands inside a notification is held by
-- those who presented the notification. What was presented without account and device
-- belongs to those who presented another trusted document of the same app and original
-- transaction; where nobody did, the owner is null. What a family shares belongs to the
-- member that presented it, and never to the buyer.
--
-- Columns:
--   environment              –                        attribute 0     as in purchases
--   bundle_id                –                        attribute 2     as in purchases
--   owner                    –                        line            account, else device; null where nobody is known
--   owner_kind               –                        –               `account`, `device` or `none`
--   product_id               –                        attribute 1702  product
--   source_transaction_id    –                        attribute 1703  the transaction that gives the right
--   starts                   time                     attribute 1704  when it was bought, or the period began
--   ends                     time                     –               in `grace` the end of the grace period as told, of
--                                                                     `revoked` the refund if that was before the end, else
--                                                                     the end of the period; null of what never ends, and
--                                                                     of an upgraded period whose next is not known
--   ownership                –                        –               as in purchases
--   state                    –                        –               as in entitlements
--   from_ms                  milliseconds since 1970  –               first moment of the stretch; 0 of what states no begin
--   until_ms                 milliseconds since 1970  –               first moment behind it; null: for ever
--   since                    time                     –               from_ms; null of what states no begin
--   until                    time                     –               until_ms; null: for ever
--   original_transaction_id  –                        attribute 1705  the subscription, or the purchase and its copies; of
--                                                                     a family member's share that is no subscription its
--                                                                     own transaction
--   is_subscription          0 or 1                   –               1: a subscription
--   is_family                0 or 1                   –               1: a family member's share
--   app_number               –                        –               the app's number in this database alone, to count by
--   original_number          –                        –               original_transaction_id, as the loader keeps it
--   purchase_number          –                        –               the number of the transaction that gives the right in
--                                                                     this database alone
--   contact_number           –                        line            the owner, as in presenters_by_number
--   seen_ms                  milliseconds since 1970  line            as in presenters_by_number
--   ends_ms                  milliseconds since 1970  –               ends as a number
CREATE VIEW entitlement_states AS
WITH unpaid AS (
    SELECT * FROM unpaid_spans_by_number
),

judged AS (
    SELECT
        held.purchase_number,
        held.app_number,
        held.original_number,
        held.is_subscription,
        held.is_family,
        held.contact_number,
        held.seen_ms,
        held.begin_ms,
        coalesce(held.own_next_ms, 1 << 62) AS own_next_ms,
        held.end_ms,
        coalesce(held.revoked_ms, 1 << 62) AS revoked_ms,
        held.ends,
        held.revoked,
        outcome.grace_ms,
        outcome.grace_until,
        min(coalesce(outcome.grace_ms, held.end_ms), coalesce(held.next_ms, 1 << 62)) AS out_ms,
        coalesce(outcome.retry_ms, 1 << 62) AS retry_ms,
        min(coalesce(held.own_next_ms, 1 << 62), coalesce(held.revoked_ms, 1 << 62)) AS limit_ms,
        CASE
            WHEN held.is_subscription = 0 OR held.next_ms IS NOT NULL THEN 'expired'
            WHEN horizon.known_until_ms >= held.end_ms THEN 'expired'
            ELSE 'unknown'
        END AS outcome
    FROM held_periods_by_number AS held
    LEFT JOIN (
        SELECT purchase_number, max(grace_ms) AS grace_ms, max(grace_until) AS grace_until, min(from_ms) AS retry_ms
        FROM unpaid
        GROUP BY purchase_number
    ) AS outcome ON outcome.purchase_number = held.purchase_number
    LEFT JOIN subscription_horizons AS horizon
        ON horizon.original_number = held.original_number
        AND horizon.app_number = held.app_number
),

-- Of each period, what may follow its begin; retries, of which there may be several, apart.
stretches AS (
    SELECT
        judged.*,
        CASE part.place
            WHEN 1 THEN CASE WHEN end_ms IS NULL AND is_subscription = 1 THEN 'unknown' ELSE 'active' END
            WHEN 2 THEN 'grace'
            WHEN 3 THEN outcome
            ELSE 'revoked'
        END AS state,
        CASE part.place
            WHEN 1 THEN begin_ms
            WHEN 2 THEN end_ms
            WHEN 3 THEN out_ms
            ELSE max(revoked_ms, begin_ms)
        END AS from_ms,
        CASE part.place
            WHEN 1 THEN min(coalesce(end_ms, limit_ms), limit_ms)
            WHEN 2 THEN min(out_ms, limit_ms)
            WHEN 3 THEN min(retry_ms, limit_ms)
            ELSE own_next_ms
        END AS until_ms
    FROM judged
    CROSS JOIN (
        SELECT 1 AS place UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4
    ) AS part
    WHERE part.place = 1
        OR (part.place = 2 AND grace_ms IS NOT NULL)
        OR (part.place = 3 AND end_ms IS NOT NULL)
        OR (part.place = 4 AND revoked_ms < 1 << 62)
    UNION ALL
    SELECT
        judged.*,
        CASE WHEN part.place = 1 THEN 'billing_retry' ELSE judged.outcome END,
        CASE WHEN part.place = 1 THEN unpaid.from_ms ELSE unpaid.until_ms END,
        min(
            CASE
                WHEN part.place = 1 THEN unpaid.until_ms
                ELSE coalesce(unpaid.again_ms, judged.limit_ms)
            END,
            judged.limit_ms)
    FROM unpaid
    JOIN judged ON judged.purchase_number = unpaid.purchase_number
    CROSS JOIN (SELECT 1 AS place UNION ALL SELECT 2) AS part
    WHERE unpaid.from_ms IS NOT NULL
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    contact.owner,
    coalesce(contact.owner_kind, 'none') AS owner_kind,
    product.product_id,
    lasting.transaction_id AS source_transaction_id,
    lasting.starts,
    CASE stretches.state
        WHEN 'revoked' THEN stretches.revoked
        WHEN 'grace' THEN stretches.grace_until
        ELSE stretches.ends
    END AS ends,
    lasting.ownership,
    stretches.state,
    stretches.from_ms,
    CASE WHEN stretches.until_ms < 1 << 62 THEN stretches.until_ms END AS until_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stretches.from_ms > 0 THEN stretches.from_ms END / 1000, 'unixepoch') AS since,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stretches.until_ms < 1 << 62 THEN stretches.until_ms END / 1000, 'unixepoch') AS until,
    CAST(stretches.original_number AS TEXT) AS original_transaction_id,
    stretches.is_subscription,
    stretches.is_family,
    stretches.app_number,
    stretches.original_number AS original_number,
    stretches.purchase_number,
    stretches.contact_number,
    stretches.seen_ms,
    CASE stretches.state
        WHEN 'revoked' THEN min(stretches.revoked_ms, coalesce(stretches.end_ms, stretches.revoked_ms))
        WHEN 'grace' THEN stretches.grace_ms
        ELSE stretches.end_ms
    END AS ends_ms
FROM stretches
JOIN lasting_purchases AS lasting ON lasting.purchase_number = stretches.purchase_number
JOIN app ON app.app_id = stretches.app_number
LEFT JOIN product ON product.product_number = lasting.product_number
LEFT JOIN contacts_by_number AS contact ON contact.contact_number = stretches.contact_number
WHERE stretches.from_ms < stretches.until_ms;
