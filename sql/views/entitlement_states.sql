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
CREATE VIEW entitlement_states AS
WITH presented AS (
    SELECT
        receipt_id,
        coalesce(account_id, device_id) AS owner,
        CASE WHEN account_id IS NOT NULL THEN 'account' WHEN device_id IS NOT NULL THEN 'device' END AS owner_kind
    FROM submission
    WHERE device_check <> 'mismatch'
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        coalesce(submission.account_id, submission.device_id),
        CASE
            WHEN submission.account_id IS NOT NULL THEN 'account'
            WHEN submission.device_id IS NOT NULL THEN 'device'
        END
    FROM receipt_part
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE submission.device_check <> 'mismatch'
),

-- What gives a right for longer than a moment. Copies and periods share the chain; a member's share is no copy.
lasting AS (
    SELECT
        purchase.purchase_id,
        purchase.app_id,
        purchase.transaction_id,
        CASE
            WHEN terms.ownership = 'FAMILY_SHARED' AND purchase.expires_date IS NULL THEN purchase.transaction_id
            ELSE coalesce(purchase.original_transaction_id, purchase.transaction_id)
        END AS chain,
        CASE WHEN terms.ownership = 'FAMILY_SHARED' THEN 1 ELSE 0 END AS is_family,
        CASE
            WHEN purchase.product_type IN (0, 2) THEN 0
            WHEN purchase.product_type = 3 OR purchase.expires_date IS NOT NULL THEN 1
            ELSE 0
        END AS is_subscription,
        CASE WHEN purchase.transaction_id <> purchase.original_transaction_id THEN 1 ELSE 0 END AS is_later,
        purchase.product_number,
        purchase.purchase_date,
        purchase.expires_date,
        purchase.cancellation_date,
        terms.ownership,
        terms.is_upgraded
    FROM purchase
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    WHERE (coalesce(purchase.product_type, -1) <> 1 OR purchase.expires_date IS NOT NULL)
        AND (purchase.expires_date IS NULL OR purchase.expires_date > purchase.purchase_date)
),

-- Of one thing, a period is known by its begin; what is no subscription has one.
begun AS (
    SELECT
        lasting.*,
        CASE WHEN lasting.is_subscription = 1 THEN lasting.purchase_date ELSE 0 END AS period,
        min(CASE WHEN lasting.is_subscription = 1 THEN lasting.purchase_date END) OVER (
            PARTITION BY lasting.chain, lasting.app_id, lasting.is_family, lasting.is_subscription
            ORDER BY lasting.purchase_date
            RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
        ) AS next_ms
    FROM lasting
    WHERE lasting.is_subscription = 0
        OR lasting.purchase_date IS NOT NULL
),

-- Of several transactions of a period, copies by restores, the one of the least place counts.
placed AS (
    SELECT
        begun.purchase_id,
        begun.transaction_id,
        begun.chain,
        begun.app_id,
        begun.is_family,
        begun.is_subscription,
        begun.period,
        begun.product_number,
        begun.purchase_date,
        begun.expires_date,
        begun.next_ms,
        begun.ownership,
        begun.is_upgraded,
        CASE
            WHEN begun.is_subscription = 1 THEN begun.cancellation_date
            ELSE min(begun.cancellation_date) OVER copies
        END AS canceled_ms,
        row_number() OVER placed_copies AS place,
        count(*) OVER copies AS copies
    FROM begun
    WINDOW copies AS (
        PARTITION BY begun.chain, begun.app_id, begun.is_family, begun.is_subscription, begun.period
    ),
    placed_copies AS (
        PARTITION BY begun.chain, begun.app_id, begun.is_family, begun.is_subscription, begun.period
        ORDER BY
            CASE WHEN begun.is_subscription = 1 THEN coalesce(begun.expires_date, 0) END DESC,
            begun.cancellation_date IS NULL,
            begun.is_later,
            begun.transaction_id
    )
),

held AS (
    SELECT DISTINCT
        purchase.purchase_id,
        presented.owner,
        presented.owner_kind
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = presented.receipt_id
    CROSS JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
),

shown AS (
    SELECT
        held.owner,
        held.owner_kind,
        placed.purchase_id,
        placed.transaction_id,
        placed.chain,
        placed.app_id,
        placed.is_family,
        placed.is_subscription,
        placed.period,
        placed.place,
        placed.copies,
        placed.product_number,
        placed.purchase_date,
        placed.expires_date,
        placed.canceled_ms,
        placed.next_ms,
        placed.ownership,
        placed.is_upgraded
    FROM held
    JOIN placed ON placed.purchase_id = held.purchase_id
),

owned AS (
    SELECT *
    FROM shown
    WHERE owner IS NOT NULL
    UNION ALL
    SELECT
        others.owner,
        coalesce(others.owner_kind, 'none'),
        ownerless.purchase_id,
        ownerless.transaction_id,
        ownerless.chain,
        ownerless.app_id,
        ownerless.is_family,
        ownerless.is_subscription,
        ownerless.period,
        ownerless.place,
        ownerless.copies,
        ownerless.product_number,
        ownerless.purchase_date,
        ownerless.expires_date,
        ownerless.canceled_ms,
        ownerless.next_ms,
        ownerless.ownership,
        ownerless.is_upgraded
    FROM (SELECT * FROM shown WHERE owner IS NULL) AS ownerless
    LEFT JOIN (
        SELECT DISTINCT chain, app_id, is_family, owner, owner_kind
        FROM shown
        WHERE owner IS NOT NULL
    ) AS others
        ON others.chain = ownerless.chain
        AND others.app_id = ownerless.app_id
        AND others.is_family = ownerless.is_family
    LEFT JOIN held AS known
        ON known.purchase_id = ownerless.purchase_id
        AND known.owner = others.owner
        AND known.owner_kind = others.owner_kind
    WHERE known.purchase_id IS NULL
),

-- Of what an owner holds of one period, the one that counts.
counted AS (
    SELECT owned.*, 1 AS own_place, coalesce(purchase_date, 0) AS begin_ms
    FROM owned
    WHERE copies = 1
    UNION ALL
    SELECT owned.*, row_number() OVER placed_period, coalesce(min(purchase_date) OVER same_period, 0)
    FROM owned
    WHERE copies > 1
    WINDOW same_period AS (PARTITION BY chain, app_id, is_family, is_subscription, period, owner, owner_kind),
    placed_period AS (
        PARTITION BY chain, app_id, is_family, is_subscription, period, owner, owner_kind
        ORDER BY place
    )
),

ended AS (
    SELECT
        owner,
        owner_kind,
        chain,
        app_id,
        is_family,
        is_subscription,
        begin_ms,
        purchase_id,
        transaction_id,
        product_number,
        purchase_date,
        ownership,
        coalesce(next_ms, 1 << 62) AS next_ms,
        lead(period, 1, 1 << 62) OVER (
            PARTITION BY chain, app_id, is_family, is_subscription, owner, owner_kind ORDER BY period
        ) AS own_next_ms,
        CASE
            WHEN is_upgraded = 1 AND is_subscription = 1 THEN next_ms
            ELSE min(coalesce(next_ms, expires_date), expires_date)
        END AS end_ms,
        -- Canceled because the next began: an upgrade, as receipts tell it.
        CASE
            WHEN next_ms BETWEEN canceled_ms - 60000 AND canceled_ms + 60000 THEN 1 << 62
            ELSE coalesce(canceled_ms, 1 << 62)
        END AS revoked_ms
    FROM counted
    WHERE own_place = 1
),

-- What renewal infos say of the periods that no other followed at once.
renewed AS (
    SELECT
        gap.purchase_id,
        gap.end_ms,
        gap.next_ms,
        renewal.signed_at,
        receipt.sha256,
        CASE WHEN renewal.is_in_billing_retry = 1 THEN 1 ELSE 0 END AS is_retried,
        max(CASE
            WHEN renewal.grace_period_expires_date > gap.end_ms THEN renewal.grace_period_expires_date
        END) OVER (PARTITION BY gap.purchase_id) AS grace_ms
    FROM (
        SELECT DISTINCT purchase_id, chain, app_id, purchase_date, end_ms, next_ms
        FROM ended
        WHERE is_subscription = 1
            AND end_ms < next_ms
    ) AS gap
    CROSS JOIN app ON app.app_id = gap.app_id
    CROSS JOIN renewal
        ON renewal.original_transaction_id = gap.chain
        AND renewal.environment = app.environment
        AND renewal.signed_at >= gap.purchase_date
        AND renewal.signed_at < gap.next_ms
    CROSS JOIN receipt ON receipt.receipt_id = renewal.receipt_id
),

-- The renewal infos that say another than the one before; a retry may begin when grace period and period are over.
turned AS (
    SELECT
        purchase_id,
        min(coalesce(grace_ms, end_ms), next_ms) AS out_ms,
        next_ms,
        signed_at,
        sha256,
        is_retried,
        before_ms
    FROM (
        SELECT
            renewed.*,
            lag(is_retried) OVER told AS was_retried,
            lag(signed_at) OVER told AS before_ms
        FROM renewed
        WINDOW told AS (PARTITION BY purchase_id ORDER BY signed_at, sha256)
    ) AS said
    WHERE coalesce(was_retried, 0) <> is_retried
),

-- A retry begins at once, however late the store told of it, and ends when the store said so, or the next begins.
retried AS (
    SELECT
        purchase_id,
        from_ms,
        until_ms,
        lead(from_ms) OVER (PARTITION BY purchase_id ORDER BY from_ms) AS again_ms
    FROM (
        SELECT
            purchase_id,
            CASE WHEN coalesce(before_ms, out_ms) <= out_ms THEN out_ms ELSE signed_at END AS from_ms,
            coalesce(lead(signed_at) OVER (PARTITION BY purchase_id ORDER BY signed_at, sha256), next_ms) AS until_ms,
            out_ms,
            is_retried
        FROM turned
    ) AS spans
    WHERE is_retried = 1
        AND until_ms > out_ms
        AND until_ms > from_ms
),

judged AS (
    SELECT
        ended.*,
        outcome.grace_ms,
        min(coalesce(outcome.grace_ms, ended.end_ms), ended.next_ms) AS out_ms,
        coalesce(outcome.retry_ms, 1 << 62) AS retry_ms,
        min(ended.own_next_ms, ended.revoked_ms) AS limit_ms,
        CASE
            WHEN ended.is_subscription = 0 OR ended.next_ms < 1 << 62 THEN 'expired'
            WHEN horizon.known_until_ms >= ended.end_ms THEN 'expired'
            ELSE 'unknown'
        END AS outcome
    FROM ended
    LEFT JOIN (
        SELECT purchase_id, max(grace_ms) AS grace_ms, min(retry_ms) AS retry_ms
        FROM (
            SELECT purchase_id, grace_ms, CAST(NULL AS BIGINT) AS retry_ms
            FROM renewed
            UNION ALL
            SELECT purchase_id, CAST(NULL AS BIGINT), from_ms
            FROM retried
        ) AS told
        GROUP BY purchase_id
    ) AS outcome ON outcome.purchase_id = ended.purchase_id
    LEFT JOIN subscription_horizons AS horizon
        ON horizon.original_number = ended.chain
        AND horizon.app_number = ended.app_id
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
        CASE WHEN part.place = 1 THEN retried.from_ms ELSE retried.until_ms END,
        min(
            CASE
                WHEN part.place = 1 THEN retried.until_ms
                ELSE coalesce(retried.again_ms, judged.limit_ms)
            END,
            judged.limit_ms)
    FROM retried
    JOIN judged ON judged.purchase_id = retried.purchase_id
    CROSS JOIN (SELECT 1 AS place UNION ALL SELECT 2) AS part
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    stretches.owner,
    stretches.owner_kind,
    product.product_id,
    CAST(stretches.transaction_id AS TEXT) AS source_transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stretches.purchase_date >= 0 THEN stretches.purchase_date END / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE stretches.state
            WHEN 'revoked' THEN min(coalesce(stretches.end_ms, stretches.revoked_ms), stretches.revoked_ms)
            WHEN 'grace' THEN stretches.grace_ms
            ELSE stretches.end_ms
        END / 1000, 'unixepoch') AS ends,
    stretches.ownership,
    stretches.state,
    stretches.from_ms,
    CASE WHEN stretches.until_ms < 1 << 62 THEN stretches.until_ms END AS until_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stretches.from_ms > 0 THEN stretches.from_ms END / 1000, 'unixepoch') AS since,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN stretches.until_ms < 1 << 62 THEN stretches.until_ms END / 1000, 'unixepoch') AS until,
    CAST(stretches.chain AS TEXT) AS original_transaction_id,
    stretches.is_subscription,
    stretches.is_family,
    stretches.app_id AS app_number,
    stretches.chain AS original_number
FROM stretches
JOIN app ON app.app_id = stretches.app_id
LEFT JOIN product ON product.product_number = stretches.product_number
WHERE stretches.from_ms < stretches.until_ms;
