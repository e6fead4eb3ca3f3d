-- One row per owner and non-consumable, non-renewing subscription or subscription:
-- what each owner may use, as of the newest trusted document of the app in that
-- environment. Consumables are left out. A purchase of unknown type counts as a
-- subscription where it expires, else as a non-consumable.
--
-- Of a subscription it is the period that began last of those that its owner holds; it
-- ends when it expires or when the next one begins. Of a purchase and the copies that
-- restores made, one counts, and a refund of any is a refund.
--
-- Owners are found as in app_owners, and what stands inside a notification is held by
-- those who presented the notification. What was presented without account and device
-- belongs to those who presented another trusted document of the same app and original
-- transaction; where nobody did, the owner is null. What a family shares belongs to the
-- member that presented it, and never to the buyer.
--
-- Columns:
--   environment            –     attribute 0     as in purchases
--   bundle_id              –     attribute 2     as in purchases
--   owner                  –     line            account, else device; null where nobody is known
--   owner_kind             –     –               `account`, `device` or `none`
--   product_id             –     attribute 1702  product
--   source_transaction_id  –     attribute 1703  the transaction that gives the right
--   starts                 time  attribute 1704  when it was bought, or the period began
--   ends                   time  –               when the right ends: in `grace` the end of the grace period, else of the
--                                                period; null of what never ends, and of an upgraded period whose next is
--                                                not known
--   ownership              –     –               as in purchases
--   state                  –     –               `active`; `grace`: the period is over, the grace period is not;
--                                                `billing_retry`: neither runs, and the store tries to charge; `expired`;
--                                                `revoked`: refunded; `unknown`: the period is over, and no renewal info
--                                                and no app receipt made since says how
--   as_of                  time  –               creation of the newest trusted document of the app in that environment
CREATE VIEW entitlements AS
WITH presented AS (
    SELECT
        receipt_id,
        coalesce(account_id, device_id) AS owner,
        CASE WHEN account_id IS NOT NULL THEN 'account' WHEN device_id IS NOT NULL THEN 'device' END AS owner_kind
    FROM submission
    WHERE device_check <> 'mismatch'
    UNION
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
        terms.ownership,
        terms.is_upgraded
    FROM purchase
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = purchase.transaction_id
        AND terms.app_id = purchase.app_id
        AND terms.verdict = 'trusted'
    WHERE coalesce(purchase.product_type, -1) <> 1
        OR purchase.expires_date IS NOT NULL
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

owned AS (
    SELECT lasting.purchase_id, held.owner, held.owner_kind
    FROM held
    JOIN lasting ON lasting.purchase_id = held.purchase_id
    WHERE held.owner IS NOT NULL
    UNION
    SELECT
        ownerless.purchase_id,
        others.owner,
        coalesce(others.owner_kind, 'none')
    FROM (
        SELECT lasting.purchase_id, lasting.app_id, lasting.chain, lasting.is_family
        FROM held
        JOIN lasting ON lasting.purchase_id = held.purchase_id
        WHERE held.owner IS NULL
    ) AS ownerless
    LEFT JOIN (
        SELECT DISTINCT lasting.chain, lasting.app_id, lasting.is_family, held.owner, held.owner_kind
        FROM held
        JOIN lasting ON lasting.purchase_id = held.purchase_id
        WHERE held.owner IS NOT NULL
    ) AS others
        ON others.chain = ownerless.chain
        AND others.app_id = ownerless.app_id
        AND others.is_family = ownerless.is_family
),

-- The state of renewal that was signed last.
renewed AS (
    SELECT environment, original_transaction_id, signed_at, grace_period_expires_date, is_in_billing_retry
    FROM (
        SELECT
            renewal.environment,
            renewal.original_transaction_id,
            renewal.signed_at,
            renewal.grace_period_expires_date,
            renewal.is_in_billing_retry,
            row_number() OVER (
                PARTITION BY renewal.original_transaction_id, renewal.environment
                ORDER BY renewal.signed_at DESC, receipt.sha256 DESC
            ) AS place
        FROM renewal
        CROSS JOIN receipt ON receipt.receipt_id = renewal.receipt_id
    ) AS signed
    WHERE place = 1
),

-- Renewal infos name no app; theirs is that of the subscription. Purchases know when transaction receipts, which state
-- no date, were made.
newest AS (
    SELECT app_id, max(created_at) AS as_of
    FROM (
        SELECT app_id, max(receipt_creation_date) AS created_at
        FROM receipt
        WHERE verdict = 'trusted'
        GROUP BY app_id
        UNION ALL
        SELECT app_id, max(as_of)
        FROM purchase
        GROUP BY app_id
        UNION ALL
        SELECT purchase.app_id, max(renewed.signed_at)
        FROM renewed
        CROSS JOIN purchase ON purchase.original_transaction_id = renewed.original_transaction_id
        CROSS JOIN app
            ON app.app_id = purchase.app_id
            AND app.environment = renewed.environment
        GROUP BY purchase.app_id
    ) AS created
    GROUP BY app_id
),

placed AS (
    SELECT
        lasting.purchase_id,
        lasting.app_id,
        lasting.chain,
        lasting.is_family,
        lasting.is_subscription,
        lasting.ownership,
        lasting.is_upgraded,
        purchase.transaction_id,
        purchase.original_transaction_id,
        purchase.product_number,
        purchase.purchase_date,
        purchase.expires_date,
        purchase.receipt_id,
        purchase.cancellation_date AS own_cancellation_date,
        CASE
            WHEN lasting.is_subscription = 1 THEN purchase.cancellation_date
            ELSE min(purchase.cancellation_date) OVER (
                PARTITION BY lasting.chain, lasting.app_id, lasting.is_family, lasting.is_subscription
            )
        END AS cancellation_date,
        CASE
            WHEN lasting.is_subscription = 1 THEN min(purchase.purchase_date) OVER (
                PARTITION BY lasting.chain, lasting.app_id, lasting.is_family, lasting.is_subscription
                ORDER BY purchase.purchase_date
                RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
            )
        END AS next_start
    FROM lasting
    JOIN purchase ON purchase.purchase_id = lasting.purchase_id
    WHERE purchase.expires_date IS NULL
        OR purchase.expires_date > purchase.purchase_date
),

ended AS (
    SELECT
        placed.*,
        owned.owner,
        owned.owner_kind,
        newest.as_of,
        CASE
            -- Canceled because the next began: an upgrade, as receipts tell it.
            WHEN placed.next_start BETWEEN placed.cancellation_date - 60000 AND placed.cancellation_date + 60000 THEN 0
            WHEN placed.cancellation_date <= newest.as_of THEN 1
            ELSE 0
        END AS is_revoked,
        CASE
            WHEN placed.is_upgraded = 1 AND placed.is_subscription = 1 THEN placed.next_start
            ELSE min(
                coalesce(placed.next_start, placed.expires_date),
                placed.expires_date
            )
        END AS period_end,
        row_number() OVER (
            PARTITION BY
                placed.chain, placed.app_id, placed.is_family, placed.is_subscription, owned.owner, owned.owner_kind
            ORDER BY
                CASE WHEN placed.is_subscription = 1 THEN placed.purchase_date END DESC,
                CASE WHEN placed.is_subscription = 1 THEN placed.expires_date END DESC,
                placed.own_cancellation_date IS NULL,
                placed.transaction_id <> placed.original_transaction_id,
                placed.transaction_id
        ) AS place
    FROM owned
    JOIN placed ON placed.purchase_id = owned.purchase_id
    JOIN newest ON newest.app_id = placed.app_id
    WHERE placed.is_subscription = 0
        OR placed.purchase_date <= newest.as_of
),

judged AS (
    SELECT
        ended.*,
        app.environment,
        app.bundle_id,
        renewed.grace_period_expires_date,
        CASE
            WHEN ended.is_revoked = 1 THEN 'revoked'
            WHEN ended.period_end > ended.as_of THEN 'active'
            WHEN ended.period_end IS NULL AND ended.is_subscription = 0 THEN 'active'
            WHEN ended.period_end IS NULL THEN 'unknown'
            WHEN ended.is_subscription = 0 OR ended.next_start <= ended.as_of THEN 'expired'
            WHEN renewed.signed_at >= ended.purchase_date
                AND renewed.grace_period_expires_date > ended.as_of THEN 'grace'
            WHEN renewed.signed_at >= ended.purchase_date AND renewed.is_in_billing_retry = 1 THEN 'billing_retry'
            WHEN renewed.signed_at >= ended.period_end THEN 'expired'
            -- It lists every purchase, and would state the next period.
            WHEN source.kind = 'app_receipt' AND source.receipt_creation_date >= ended.period_end THEN 'expired'
            ELSE 'unknown'
        END AS state
    FROM ended
    JOIN app ON app.app_id = ended.app_id
    JOIN receipt AS source ON source.receipt_id = ended.receipt_id
    LEFT JOIN renewed
        ON renewed.original_transaction_id = ended.chain
        AND renewed.environment = app.environment
    WHERE ended.place = 1
)

SELECT
    nullif(judged.environment, '') AS environment,
    nullif(judged.bundle_id, '') AS bundle_id,
    judged.owner,
    judged.owner_kind,
    product.product_id,
    CAST(judged.transaction_id AS TEXT) AS source_transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN judged.purchase_date >= 0 THEN judged.purchase_date END / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE judged.state
            WHEN 'revoked' THEN min(coalesce(judged.period_end, judged.cancellation_date), judged.cancellation_date)
            WHEN 'grace' THEN judged.grace_period_expires_date
            ELSE judged.period_end
        END / 1000, 'unixepoch') AS ends,
    judged.ownership,
    judged.state,
    strftime('%Y-%m-%dT%H:%M:%SZ', judged.as_of / 1000, 'unixepoch') AS as_of
FROM judged
LEFT JOIN product ON product.product_number = judged.product_number;
