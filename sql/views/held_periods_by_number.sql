-- What each owner holds, by number: one row per owner and period of a subscription, or other purchase that lasts with
-- its copies. Owners as in entitlement_states, which tells of the same with names and with what renewal infos say.
--
-- Columns:
--   purchase_number  –                        –               the purchase's number in this database alone; of copies
--                                                             the one that counts
--   app_number       –                        –               the app's number in this database alone
--   original_number  –                        –               as in lasting_purchases
--   is_subscription  0 or 1                   –               1: a period of a subscription
--   is_family        0 or 1                   –               1: a family member's share
--   contact_number   –                        line            the owner, as in presenters_by_number; null where nobody
--                                                             is known
--   seen_ms          milliseconds since 1970  line            as in presenters_by_number
--   begin_ms         milliseconds since 1970  attribute 1704  its begin; 0 of what states none
--   next_ms          milliseconds since 1970  attribute 1704  begin of the subscription's next period, whoever holds
--                                                             it; null where there is none
--   own_next_ms      milliseconds since 1970  attribute 1704  begin of the next one that the owner holds; null where
--                                                             there is none
--   end_ms           milliseconds since 1970  –               its end, refunds apart: it expires, or the next begins;
--                                                             null of what never ends, and of an upgraded period whose
--                                                             next is not known
--   revoked_ms       milliseconds since 1970  –               its refund; null where there is none
--   last_seen        time                     line            seen_ms as text
--   ends             time                     –               end_ms as text
--   revoked          time                     –               revoked_ms as text, or ends where that is earlier
CREATE VIEW held_periods_by_number AS
WITH presenters AS (
    SELECT receipt_number, app_number, contact_number, max(seen_ms) AS seen_ms
    FROM presenters_by_number
    GROUP BY receipt_number, app_number, contact_number
),

begun AS (
    SELECT
        purchase_number,
        app_number,
        transaction_number,
        original_number,
        is_subscription,
        is_family,
        -- What is no subscription has one period.
        CASE WHEN is_subscription = 1 THEN start_ms ELSE 0 END AS period,
        start_ms,
        expiry_ms,
        cancellation_ms,
        is_upgraded,
        -- Of copies the greatest counts: what expires last, then what states a refund, then the original.
        CASE WHEN is_subscription = 1 THEN coalesce(expiry_ms, 0) * 4 ELSE 0 END
        + CASE WHEN cancellation_ms IS NULL THEN 0 ELSE 2 END
        + 1 - is_later AS copy_rank,
        min(start_ms) OVER (
            PARTITION BY original_number, app_number, is_family, is_subscription
            ORDER BY start_ms
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS next_ms
    FROM lasting_purchases
),

-- What was presented without account and device, and those who presented another document of the same thing.
nameless AS (
    SELECT DISTINCT lasting.purchase_number, lasting.app_number, lasting.original_number, lasting.is_family
    FROM presenters
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = presenters.receipt_number
    CROSS JOIN lasting_purchases AS lasting
        ON lasting.transaction_number = receipt_purchase.transaction_id
        AND lasting.app_number = presenters.app_number
    WHERE presenters.contact_number IS NULL
),

related AS (
    SELECT DISTINCT thing.app_number, thing.original_number, thing.is_family, receipt_purchase.receipt_id
    FROM (
        SELECT nameless.app_number, nameless.original_number, nameless.is_family, purchase.purchase_id
        FROM nameless
        CROSS JOIN purchase
            ON purchase.original_transaction_id = nameless.original_number
            AND purchase.app_id = nameless.app_number
        UNION
        SELECT nameless.app_number, nameless.original_number, nameless.is_family, purchase.purchase_id
        FROM nameless
        CROSS JOIN purchase
            ON purchase.transaction_id = nameless.original_number
            AND purchase.app_id = nameless.app_number
    ) AS thing
    CROSS JOIN lasting_purchases AS lasting
        ON lasting.purchase_number = thing.purchase_id
        AND lasting.original_number = thing.original_number
        AND lasting.is_family = thing.is_family
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = lasting.transaction_number
),

relayed AS (
    SELECT DISTINCT nameless.purchase_number, others.contact_number, others.seen_ms
    FROM (
        SELECT DISTINCT
            related.app_number,
            related.original_number,
            related.is_family,
            presenters.contact_number,
            presenters.seen_ms
        FROM presenters
        CROSS JOIN related
            ON related.receipt_id = presenters.receipt_number
            AND related.app_number = presenters.app_number
        WHERE presenters.contact_number IS NOT NULL
    ) AS others
    CROSS JOIN nameless
        ON nameless.original_number = others.original_number
        AND nameless.app_number = others.app_number
        AND nameless.is_family = others.is_family
),

held AS (
    SELECT
        begun.purchase_number,
        begun.app_number,
        begun.transaction_number,
        begun.original_number,
        begun.is_subscription,
        begun.is_family,
        coalesce(presenters.contact_number, relayed.contact_number) AS contact_number,
        coalesce(presenters.seen_ms, relayed.seen_ms) AS seen_ms,
        begun.period,
        begun.start_ms,
        begun.copy_rank,
        CASE WHEN begun.is_subscription = 1 THEN begun.next_ms END AS next_ms,
        CASE
            WHEN begun.is_subscription = 0 THEN begun.expiry_ms
            WHEN begun.is_upgraded = 1 THEN begun.next_ms
            ELSE min(coalesce(begun.next_ms, begun.expiry_ms), begun.expiry_ms)
        END AS end_ms,
        -- Canceled because the next began: an upgrade, as receipts tell it.
        CASE
            WHEN begun.is_subscription = 0 THEN NULL
            WHEN begun.next_ms BETWEEN begun.cancellation_ms - 60000 AND begun.cancellation_ms + 60000 THEN NULL
            ELSE begun.cancellation_ms
        END AS revoked_ms
    FROM begun
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = begun.transaction_number
    CROSS JOIN presenters
        ON presenters.receipt_number = receipt_purchase.receipt_id
        AND presenters.app_number = begun.app_number
    LEFT JOIN relayed
        ON relayed.purchase_number = CASE WHEN presenters.contact_number IS NULL THEN begun.purchase_number END
),

-- What an owner holds of a thing, in one order: of copies, and of what was presented twice, the last stands before the
-- next period.
owned AS (
    SELECT
        purchase_number,
        app_number,
        original_number,
        is_subscription,
        is_family,
        contact_number,
        seen_ms,
        period,
        next_ms,
        end_ms,
        revoked_ms,
        min(start_ms) OVER whole AS first_ms,
        lead(period) OVER own AS own_next_ms
    FROM held
    WINDOW own AS (
        PARTITION BY original_number, app_number, is_family, is_subscription, contact_number
        ORDER BY period, copy_rank, transaction_number DESC
    ),
    whole AS (
        PARTITION BY original_number, app_number, is_family, is_subscription, contact_number
        ORDER BY period, copy_rank, transaction_number DESC
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
),

-- A refund of any copy is a refund of all.
refunded AS (
    SELECT original_number, app_number, is_family, min(cancellation_ms) AS cancellation_ms
    FROM lasting_purchases
    WHERE is_subscription = 0
        AND cancellation_ms IS NOT NULL
    GROUP BY original_number, app_number, is_family
)

SELECT
    owned.purchase_number,
    owned.app_number,
    owned.original_number,
    owned.is_subscription,
    owned.is_family,
    owned.contact_number,
    owned.seen_ms,
    CASE WHEN owned.is_subscription = 1 THEN owned.period ELSE coalesce(owned.first_ms, 0) END AS begin_ms,
    owned.next_ms,
    owned.own_next_ms,
    owned.end_ms,
    coalesce(owned.revoked_ms, refunded.cancellation_ms) AS revoked_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', owned.seen_ms / 1000, 'unixepoch') AS last_seen,
    strftime('%Y-%m-%dT%H:%M:%SZ', owned.end_ms / 1000, 'unixepoch') AS ends,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        min(
            coalesce(owned.revoked_ms, refunded.cancellation_ms),
            coalesce(owned.end_ms, owned.revoked_ms, refunded.cancellation_ms)
        ) / 1000, 'unixepoch') AS revoked
FROM owned
LEFT JOIN refunded
    ON refunded.original_number = CASE WHEN owned.is_subscription = 0 THEN owned.original_number END
    AND refunded.app_number = owned.app_number
    AND refunded.is_family = owned.is_family
WHERE owned.own_next_ms > owned.period
    OR owned.own_next_ms IS NULL;
