-- Who holds which purchase, and the states that each purchase gave each user, in order. All documents count, including
-- those made after a state.
--
-- A user holds what they presented, also inside another document or as a restored copy. A purchase from a line without
-- account and device, such as a server's log, belongs to users who presented another transaction of the same original:
-- the five seen last, and the first five, sorted by matching device, then by time. If there are none, the user is 0. A
-- member's share belongs to the member, never to the buyer.
--
-- Each state ends where the next begins; internal_entitlement_spans has one row per state. The states, in order:
-- - active, until the purchase expires, the next period begins, or it is revoked
-- - grace, if a renewal info states a grace period
-- - billing_retry, if renewal infos state one: until one states that it ended, at most as long as the App Store retries
-- - expired, if the next period, or what follows the end of access, is known; else unknown
-- - revoked (refunded, or a share withdrawn by its buyer), until the user's next period; a period that was canceled for
--   a change is expired instead
-- - consumed: the only state of a consumable, which gives no lasting right
--
-- Grain: one row per user and purchase that gave them any state
-- Key: purchase_id, user_id
-- Index: user_id
-- Slice: purchase_id
-- Reference: purchase_id = model_sales(purchase_id)
--
-- Columns:
--   user_id      INTEGER!  –   number of the user who holds the purchase; 0 if unknown
--   purchase_id  INTEGER!  –   the purchase as in model_sales, by the loader's number
--   app_id       INTEGER!  –   app and environment, by the loader's number
--   state        TEXT      –   the first state: active, unknown or consumed; null if another one begins at once
--   start_ms     INTEGER!  ms  purchase date, when the first state begins; 0 if none is stated
--   grace_ms     INTEGER   ms  start of the grace period; null if there is none
--   retry_ms     INTEGER   ms  start of billing retry; null if there is none
--   over_ms      INTEGER   ms  start of the state expired or unknown; null if neither begins
--   outcome      TEXT      –   state that begins at over_ms: expired or unknown
--   revoked_ms   INTEGER   ms  start of the state revoked; null if there is none
--   until_ms     INTEGER   ms  end of the last state; null if it has no end
-- A member's share that is no period counts under its own transaction as original.
WITH sold AS (
    SELECT
        holding.user_id,
        holding.purchase_id,
        holding.is_proven,
        holding.presented_ms,
        sale.app_id,
        coalesce(purchase.transaction_id, sale.original_id) AS original_id,
        sale.is_shared + 2 * sale.is_period AS kind,
        sale.start_ms
    FROM model_holdings AS holding
    JOIN model_sales AS sale ON sale.purchase_id = holding.purchase_id
    LEFT JOIN purchase
        ON purchase.purchase_id = CASE WHEN sale.is_shared = 1 AND sale.is_period = 0 THEN sale.purchase_id END
),

-- Users who presented an original transaction of which user 0 holds a purchase.
presented AS (
    SELECT
        original_id, app_id, kind, user_id, max(is_proven) AS is_proven,
        coalesce(min(presented_ms), 4611686018427387904) AS presented_ms
    FROM sold
    WHERE user_id > 0
        AND original_id IN (SELECT original_id FROM sold WHERE user_id = 0)
    GROUP BY original_id, app_id, kind, user_id
),

ranked AS (
    SELECT
        presented.*,
        row_number() OVER (
            PARTITION BY presented.original_id, presented.app_id, presented.kind
            ORDER BY presented.is_proven DESC, presented.presented_ms, users.place
        ) AS owning_place,
        row_number() OVER (
            PARTITION BY presented.original_id, presented.app_id, presented.kind
            ORDER BY coalesce(users.last_seen_ms, 0) DESC, users.place
        ) AS seen_place
    FROM presented
    JOIN internal_presenters AS users ON users.user_id = presented.user_id
),

-- The first five and the last five presenters of each original transaction count: without a limit, every presenter
-- would be joined with all its purchases, so that strangers could create millions of rows with thousands of lines. The
-- owner is among the first presenters, regardless of later ones; a device in use is among the last.
things AS (
    SELECT original_id, app_id, kind, user_id
    FROM ranked
    WHERE owning_place <= 5
        OR seen_place <= 5
    -- Each row is its own group. Without the grouping, SQLite expects few rows, makes no automatic index, and scans
    -- them below for each purchase.
    GROUP BY original_id, app_id, kind, user_id
),

held AS (
    SELECT user_id, purchase_id, app_id, original_id, kind, start_ms
    FROM sold
    WHERE user_id > 0
    UNION ALL
    SELECT coalesce(things.user_id, 0), told.purchase_id, told.app_id, told.original_id, told.kind, told.start_ms
    FROM sold AS told
    LEFT JOIN things
        ON things.original_id = told.original_id
        AND things.app_id = told.app_id
        AND things.kind = told.kind
    WHERE told.user_id = 0
),

-- A purchase presented both with and without an account or device has two rows, the first of which is dropped below.
ordered AS (
    SELECT
        user_id,
        purchase_id,
        lead(purchase_id) OVER own AS own_next_id,
        lead(start_ms) OVER own AS own_next_ms
    FROM held
    WINDOW own AS (PARTITION BY user_id, original_id, kind, app_id ORDER BY start_ms, purchase_id)
),

-- Many renewal infos may state the same grace period; it counts once.
graces AS (
    SELECT original_transaction_id, environment, grace_period_expires_date AS grace_ms, max(signed_at) AS signed_ms
    FROM renewal
    WHERE grace_period_expires_date IS NOT NULL
    GROUP BY original_transaction_id, environment, grace_period_expires_date
),

-- A member's share has a grace period of at most the 28 days that the App Store grants.
shared_graces AS (
    SELECT sale.purchase_id, max(renewal.grace_ms) AS grace_ms
    FROM model_sales AS sale
    JOIN app ON app.app_id = sale.app_id
    JOIN graces AS renewal
        ON renewal.original_transaction_id = sale.original_id
        AND renewal.environment = app.environment
        AND renewal.signed_ms >= sale.start_ms
        AND renewal.grace_ms > sale.expires_ms
        AND renewal.grace_ms <= sale.expires_ms + 2419200000
    WHERE sale.is_shared = 1
        AND sale.is_period = 1
    GROUP BY sale.purchase_id
),

-- 2^62 ms stands for "no end".
judged AS (
    SELECT
        ordered.user_id,
        ordered.purchase_id,
        sale.app_id,
        CASE
            WHEN sale.product_type = 1 OR sale.expires_ms <= sale.start_ms THEN 'consumed'
            -- Another product replaced the purchase at an unknown time, or a subscription's end is not stated.
            WHEN sale.is_change = 1 AND sale.next_start_ms IS NULL AND sale.is_shared = 0 THEN 'unknown'
            WHEN sale.is_period = 0 AND sale.product_type = 3 THEN 'unknown'
            ELSE 'active'
        END AS state,
        coalesce(sale.start_ms, 0) AS start_ms,
        coalesce(sale.expires_ms, 4611686018427387904) AS end_ms,
        CASE
            WHEN sale.is_period = 0 THEN 4611686018427387904
            -- Members' shares of one purchase form a separate sequence for each member.
            WHEN sale.is_shared = 1 THEN coalesce(ordered.own_next_ms, 4611686018427387904)
            ELSE coalesce(sale.next_start_ms, 4611686018427387904)
        END AS next_ms,
        CASE WHEN sale.is_period = 0 THEN 4611686018427387904 ELSE coalesce(ordered.own_next_ms, 4611686018427387904) END
            AS own_next_ms,
        CASE WHEN sale.is_change = 0 OR sale.refund_ms IS NOT NULL THEN sale.canceled_ms END AS canceled_ms,
        coalesce(period.grace_ms, shared.grace_ms) AS grace_ms,
        period.retry_ms,
        CASE
            WHEN sale.is_period = 0 OR sale.next_start_ms IS NOT NULL OR period.is_in_billing_retry = 1 THEN 'expired'
            WHEN period.known_ms >= period.access_ms THEN 'expired'
            WHEN period.known_ms IS NOT NULL
                AND period.expires_ms > app.first_notification_ms
                AND app.notified_ms >= period.access_ms
                THEN 'expired'
            WHEN sale.is_shared = 1 AND ordered.own_next_ms IS NOT NULL THEN 'expired'
            WHEN original.known_ms >= coalesce(shared.grace_ms, sale.expires_ms) THEN 'expired'
            WHEN sale.is_shared = 1 AND sale.expires_ms > app.first_notification_ms AND app.notified_ms >= sale.expires_ms
                THEN 'expired'
            ELSE 'unknown'
        END AS outcome
    FROM ordered
    JOIN model_sales AS sale ON sale.purchase_id = ordered.purchase_id
    LEFT JOIN model_periods AS period
        ON period.original_id = CASE WHEN sale.is_period = 1 AND sale.is_shared = 0 THEN sale.original_id END
        AND period.app_id = sale.app_id
        AND period.start_ms = sale.start_ms
        AND period.expires_ms = sale.expires_ms
        AND period.purchase_id = ordered.purchase_id
    LEFT JOIN model_originals AS original
        ON original.original_id = CASE WHEN sale.is_shared = 1 THEN sale.original_id END
        AND original.app_id = sale.app_id
    LEFT JOIN model_apps AS app ON app.app_id = sale.app_id
    LEFT JOIN shared_graces AS shared ON shared.purchase_id = sale.purchase_id
    WHERE ordered.own_next_id IS NULL
        OR ordered.own_next_id <> ordered.purchase_id
),

bounded AS (
    SELECT
        user_id,
        purchase_id,
        app_id,
        state,
        start_ms,
        CASE WHEN state = 'active' THEN end_ms ELSE 4611686018427387904 END AS end_ms,
        CASE WHEN state = 'active' THEN coalesce(grace_ms, end_ms) ELSE 4611686018427387904 END AS out_ms,
        CASE
            WHEN state <> 'active' THEN 4611686018427387904
            WHEN retry_ms > coalesce(grace_ms, end_ms) THEN retry_ms
            ELSE coalesce(grace_ms, end_ms)
        END AS over_ms,
        next_ms,
        own_next_ms,
        CASE
            WHEN state = 'consumed' OR canceled_ms IS NULL THEN 4611686018427387904
            WHEN canceled_ms < start_ms THEN start_ms
            ELSE canceled_ms
        END AS revoked_ms,
        CASE WHEN state <> 'consumed' AND canceled_ms < own_next_ms THEN canceled_ms ELSE own_next_ms END AS limit_ms,
        outcome
    FROM judged
),

-- A state has a start only if it begins before the next state, and before the user's right ends.
cut AS (
    SELECT
        user_id,
        purchase_id,
        app_id,
        start_ms,
        own_next_ms,
        CASE WHEN start_ms < end_ms AND start_ms < next_ms AND start_ms < limit_ms THEN state END AS state,
        CASE WHEN end_ms < out_ms AND end_ms < next_ms AND end_ms < limit_ms THEN end_ms END AS grace_ms,
        CASE WHEN out_ms < over_ms AND out_ms < next_ms AND out_ms < limit_ms THEN out_ms END AS retry_ms,
        CASE
            WHEN end_ms = 4611686018427387904 THEN NULL
            WHEN next_ms < over_ms AND next_ms < limit_ms THEN next_ms
            WHEN over_ms <= next_ms AND over_ms < limit_ms THEN over_ms
        END AS over_ms,
        outcome,
        CASE WHEN revoked_ms < own_next_ms THEN revoked_ms END AS revoked_ms
    FROM bounded
)

SELECT
    user_id,
    purchase_id,
    app_id,
    state,
    start_ms,
    grace_ms,
    retry_ms,
    over_ms,
    CASE WHEN over_ms IS NOT NULL THEN outcome END AS outcome,
    revoked_ms,
    nullif(own_next_ms, 4611686018427387904) AS until_ms
FROM cut
WHERE state IS NOT NULL
    OR over_ms IS NOT NULL
    OR revoked_ms IS NOT NULL
