-- Who holds what, and what it gave them when: of each user and purchase, stretches of time with one state, without gaps
-- from the purchase on. All documents count, also those made after the stretch.
--
-- Held is what a user presented, also inside another document or as a restored copy; and what a line without account
-- and device told, as servers keep them, by who presented another transaction of the same original. Where nobody did,
-- the user is 0. A member's share belongs to the member, and never to the buyer.
--
-- States: active until it expires, the next period begins, or it is revoked; then grace as far as it was told; then
-- billing_retry if renewal infos tell of one, until one tells that it is over, at most for the 60 days for which the
-- store retries; then expired where the next period is known or what follows is known until the end of access; else
-- unknown. Revoked (refunded, or withdrawn by the buyer of a share) until the user's next period; what was canceled for
-- the sake of a change is expired. A consumable gives no right that lasts: consumed.
--
-- Grain: one row per user, purchase and begin of a state
-- Key: user_id, purchase_id, from_ms
--
-- Columns:
--   user_id      INTEGER  –   who holds it; 0 where nobody is known
--   purchase_id  INTEGER  –   the purchase as in model_sales, by the loader's number
--   app_id       INTEGER  –   app and environment, by the loader's number
--   state        TEXT     –   active, grace, billing_retry, expired, revoked, unknown, or consumed
--   from_ms      INTEGER  ms  first moment of it; of the first state the purchase, and 0 where none is stated
--   until_ms     INTEGER  ms  first moment behind it; null: for ever
WITH nameless AS (
    SELECT receipt_id
    FROM submission
    WHERE account_id IS NULL
        AND device_id IS NULL
        AND device_check <> 'mismatch'
),

presented AS (
    SELECT DISTINCT user_id, receipt_id, app_id
    FROM model_presentations
    UNION ALL
    SELECT DISTINCT 0, receipt.receipt_id, receipt.app_id
    FROM (
        SELECT receipt_id
        FROM nameless
        UNION ALL
        SELECT receipt_part.part_receipt_id
        FROM nameless
        JOIN receipt_part ON receipt_part.receipt_id = nameless.receipt_id
    ) AS told
    JOIN receipt ON receipt.receipt_id = told.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_renewal'
),

stated AS (
    SELECT DISTINCT presented.user_id, coalesce(copy.sale_id, purchase.purchase_id) AS purchase_id
    FROM presented
    JOIN receipt_purchase ON receipt_purchase.receipt_id = presented.receipt_id
    JOIN purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = presented.app_id
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
),

sold AS (
    SELECT
        stated.user_id,
        sale.purchase_id,
        sale.app_id,
        -- A share of what is no subscription is a thing of its own.
        CASE WHEN sale.is_shared = 1 AND sale.is_period = 0 THEN sale.transaction_id ELSE sale.original_id END AS original_id,
        sale.is_shared,
        sale.is_period,
        CASE
            WHEN sale.product_type = 1 OR sale.expires_ms <= sale.start_ms THEN 'consumed'
            -- Another product took its place, and nobody knows when; or no end is stated.
            WHEN sale.is_change = 1 AND sale.next_start_ms IS NULL THEN 'unknown'
            WHEN sale.is_period = 0 AND sale.product_type = 3 THEN 'unknown'
            ELSE 'active'
        END AS state,
        coalesce(sale.start_ms, 0) AS start_ms,
        sale.expires_ms,
        CASE WHEN sale.is_period = 1 THEN sale.next_start_ms END AS next_ms,
        CASE WHEN sale.is_change = 0 OR sale.refund_ms IS NOT NULL THEN sale.canceled_ms END AS revoked_ms
    FROM stated
    JOIN model_sales AS sale ON sale.purchase_id = stated.purchase_id
),

-- Who presented anything of what was told without a name.
things AS (
    SELECT DISTINCT original_id, app_id, is_shared, user_id
    FROM sold
    WHERE user_id > 0
        AND original_id IN (SELECT original_id FROM sold WHERE user_id = 0)
),

held AS (
    SELECT *
    FROM sold
    WHERE user_id > 0
    UNION ALL
    SELECT
        coalesce(things.user_id, 0),
        told.purchase_id,
        told.app_id,
        told.original_id,
        told.is_shared,
        told.is_period,
        told.state,
        told.start_ms,
        told.expires_ms,
        told.next_ms,
        told.revoked_ms
    FROM sold AS told
    LEFT JOIN things
        ON things.original_id = told.original_id
        AND things.app_id = told.app_id
        AND things.is_shared = told.is_shared
    WHERE told.user_id = 0
),

ordered AS (
    SELECT
        held.*,
        -- The same purchase may stand twice, by a name and by none.
        lead(purchase_id) OVER own AS own_next_id,
        CASE WHEN is_period = 1 THEN lead(start_ms) OVER own END AS own_next_ms
    FROM held
    WINDOW own AS (
        PARTITION BY user_id, original_id, app_id, is_shared, is_period ORDER BY start_ms, expires_ms, purchase_id
    )
),

-- For ever is the year 146 million.
judged AS (
    SELECT
        ordered.user_id,
        ordered.purchase_id,
        ordered.app_id,
        ordered.state,
        ordered.start_ms,
        CASE WHEN ordered.state = 'active' THEN coalesce(ordered.expires_ms, 4611686018427387904) ELSE 4611686018427387904 END
            AS end_ms,
        -- Members' shares of one purchase follow one another for each member alone.
        CASE
            WHEN ordered.is_shared = 1 THEN coalesce(ordered.own_next_ms, 4611686018427387904)
            ELSE coalesce(ordered.next_ms, 4611686018427387904)
        END AS next_ms,
        coalesce(ordered.own_next_ms, 4611686018427387904) AS own_next_ms,
        CASE WHEN ordered.state = 'consumed' THEN 4611686018427387904 ELSE coalesce(ordered.revoked_ms, 4611686018427387904) END
            AS revoked_ms,
        CASE WHEN told.grace_ms > ordered.expires_ms THEN told.grace_ms ELSE ordered.expires_ms END AS out_ms,
        CASE
            WHEN told.retried_ms IS NULL THEN NULL
            WHEN told.retry_over_ms < ordered.expires_ms + 5184000000 THEN told.retry_over_ms
            ELSE ordered.expires_ms + 5184000000
        END AS retry_ms,
        CASE
            WHEN ordered.is_period = 0 OR ordered.next_ms IS NOT NULL OR told.is_in_billing_retry = 1 THEN 'expired'
            WHEN period.known_ms >= period.access_ms OR original.known_ms >= ordered.expires_ms THEN 'expired'
            ELSE 'unknown'
        END AS outcome
    FROM ordered
    LEFT JOIN model_periods AS period ON period.purchase_id = ordered.purchase_id
    LEFT JOIN model_renewal_states AS told
        ON told.original_id = ordered.original_id
        AND told.app_id = ordered.app_id
        AND told.start_ms = ordered.start_ms
    LEFT JOIN model_originals AS original
        ON original.original_id = CASE WHEN ordered.is_shared = 1 THEN ordered.original_id END
        AND original.app_id = ordered.app_id
    WHERE ordered.own_next_id IS NULL
        OR ordered.own_next_id <> ordered.purchase_id
),

bounded AS (
    SELECT
        judged.*,
        CASE WHEN revoked_ms < own_next_ms THEN revoked_ms ELSE own_next_ms END AS limit_ms,
        CASE WHEN retry_ms > out_ms THEN retry_ms ELSE out_ms END AS over_ms
    FROM judged
),

-- Each state may follow the one before it.
spans AS (
    SELECT
        user_id,
        purchase_id,
        app_id,
        state,
        start_ms AS from_ms,
        CASE WHEN end_ms < next_ms THEN end_ms ELSE next_ms END AS until_ms,
        limit_ms
    FROM bounded
    UNION ALL
    SELECT user_id, purchase_id, app_id, 'grace', end_ms, CASE WHEN out_ms < next_ms THEN out_ms ELSE next_ms END, limit_ms
    FROM bounded
    WHERE out_ms > end_ms
    UNION ALL
    SELECT
        user_id, purchase_id, app_id, 'billing_retry', out_ms, CASE WHEN over_ms < next_ms THEN over_ms ELSE next_ms END, limit_ms
    FROM bounded
    WHERE over_ms > out_ms AND end_ms < 4611686018427387904
    UNION ALL
    SELECT
        user_id, purchase_id, app_id, outcome, CASE WHEN over_ms < next_ms THEN over_ms ELSE next_ms END, own_next_ms, limit_ms
    FROM bounded
    WHERE end_ms < 4611686018427387904
    UNION ALL
    SELECT
        user_id,
        purchase_id,
        app_id,
        'revoked',
        CASE WHEN revoked_ms < start_ms THEN start_ms ELSE revoked_ms END,
        own_next_ms,
        own_next_ms
    FROM bounded
    WHERE revoked_ms < 4611686018427387904
)

SELECT
    user_id,
    purchase_id,
    app_id,
    state,
    from_ms,
    CASE
        WHEN until_ms < limit_ms THEN until_ms
        WHEN limit_ms < 4611686018427387904 THEN limit_ms
    END AS until_ms
FROM spans
WHERE from_ms < until_ms
    AND from_ms < limit_ms
