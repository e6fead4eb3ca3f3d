-- Periods of subscriptions, without copies and members' shares: from when to when each ran, its monthly price, and how
-- it ended. This model has the rules of a period's end, its next period, billing retry, lapses, and of what is known.
--
-- The next period (followed_by), by when it starts:
-- - renewal: at most 24 hours after the planned end
-- - change: before the planned end, with another product, billing plan or original transaction (see model_sales)
-- - recovery: later than a renewal, within the 60 or 90 days of billing retry (see model_followers), unless a renewal
--   info states that the subscription ended
-- - return: later than these, or after a refund
--
-- The fate of a period:
-- - renewed, changed or recovered: by the next period
-- - refunded: while the period ran, a refund of any share of the price revoked it, all its items were revoked, or it
--   was free and canceled
-- - running: access continues at the app's newest document
-- - lapsed: at once if the customer ended it, did not agree to a price increase, or the product was removed; else when
--   billing retry has passed without payment
-- - retrying: billing retry has not passed yet
-- - unknown: it is over, and no later document states what followed
--
-- A customer who cancels within a commitment leaves after its last payment: renewals before that payment do not
-- contradict that. A failed payment of a commitment has no grace period; when the store stops retrying it, the
-- subscription has lapsed.
--
-- Grain: one row per period
-- Key: original_id, app_id, start_ms, expires_ms, purchase_id
-- Index: app_id, access_ms WHERE next_start_ms IS NULL
-- Slice: original_id, app_id
-- Reference: purchase_id = model_sales(purchase_id)
-- Reference: original_id, app_id = model_originals(original_id, app_id)
--
-- Columns:
--   purchase_id          INTEGER!  –           the transaction, by the loader's number
--   app_id               INTEGER!  –           app and environment, by the loader's number
--   original_id          ANY!      –           identifier of the subscription: its first original transaction
--   product_number       INTEGER   –           product, by the loader's number
--   kind                 TEXT!     –           trial (free, before any payment), paid (a price above zero or none
--                                              known), or free (after a payment)
--   plan_days            INTEGER   days        length of the plan: 7, 30, 61, 91, 182 or 365; null for less than three
--                                              days
--   price_source         TEXT!     –           signed: a signed transaction states the price; list: from your price
--                                              list; none: no price is known
--   currency             TEXT      –           currency of the price
--   month_milliunits     INTEGER   milliunits  monthly price at the period's start: a week's price times 52/12, a
--                                              year's divided by 12; null if the period is free, its price unknown, or
--                                              its length less than three days; model_price_spans has later changes
--   start_ms             INTEGER!  ms          start of the period
--   expires_ms           INTEGER!  ms          planned end of the period
--   access_ms            INTEGER!  ms          end of access: the planned end, the stated end of the grace period, a
--                                              refund, or the start of the next period if that is earlier
--   grace_ms             INTEGER   ms          end of the grace period, if a document states one after the planned end
--   retry_ms             INTEGER   ms          end of billing retry, if a renewal info states a retry: when a later one
--                                              states none, at most 60 or 90 days after the planned end
--   next_start_ms        INTEGER   ms          start of the next period
--   next_purchase_id     INTEGER   –           transaction of the next period, by the loader's number
--   is_next_alike        INTEGER!  0 or 1      1: the next period has the same product, billing plan and original
--                                              transaction
--   followed_by          TEXT      –           kind of the next period: renewal, change, recovery, or return; null if
--                                              none is known
--   fate                 TEXT!     –           how the period ended: renewed, changed, recovered, refunded, running,
--                                              lapsed, retrying, or unknown
--   cause                TEXT      –           why the period lapsed or was refunded: voluntary, billing,
--                                              price_increase, product_gone, refund, or cause_unknown; null for other
--                                              fates
--   known_ms             INTEGER   ms          until this time it is known what followed the period, as in
--                                              model_originals; null if a document states that another period follows,
--                                              but no document states that period
--   billing_plan         TEXT      –           billing plan: MONTHLY for a commitment paid monthly; null if billed
--                                              upfront
--   payments_left        INTEGER   payments    payments of a commitment that are due after this period; null if no
--                                              document states them
--   will_renew           INTEGER   0 or 1      whether the subscription renews after this period, or, with a
--                                              commitment, after its last payment, as the period's last renewal info
--                                              states
--   auto_renew_status    INTEGER   0 or 1      `autoRenewStatus` of the period's last renewal info: whether the
--                                              subscription renews
--   is_in_billing_retry  INTEGER   0 or 1      1: the period's last renewal info states a billing retry
--   start_day            INTEGER   –           number of the local day on which the period starts
--   start_month          INTEGER   –           number of the month in which the period starts
--   expires_month        INTEGER   –           number of the month of the planned end
--   access_month         INTEGER   –           number of the month in which access ends
WITH priced AS (
    SELECT
        follower.original_id, follower.app_id, follower.start_ms, follower.expires_ms, follower.purchase_id,
        follower.retry_limit_ms,
        1 - sale.is_paid AS is_free
    FROM model_followers AS follower
    JOIN model_sales AS sale ON sale.purchase_id = follower.purchase_id
),

-- Whether a period is free, and whether anything was paid for it or for an earlier period.
runs AS (
    SELECT
        purchase_id, retry_limit_ms, is_free,
        max(1 - is_free) OVER subscription AS has_paid
    FROM priced
    WINDOW subscription AS (
        PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, purchase_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),

stated AS (
    SELECT
        sale.purchase_id, sale.app_id, sale.original_id, sale.product_number, run.is_free, run.has_paid,
        (sale.expires_ms - sale.start_ms + 43200000) / 86400000.0 AS days,
        sale.price_source, sale.currency, sale.price_milliunits, sale.start_ms, sale.expires_ms,
        -- A refund of any share of the price ends the period if the transaction is revoked; with seats, when the last
        -- one is revoked. A free period has nothing to refund, but can be revoked too.
        CASE
            WHEN sale.is_whole_refund = 1 THEN sale.canceled_ms
            WHEN sale.is_withdrawn = 1 THEN NULL
            WHEN sale.refund_ms IS NOT NULL THEN sale.canceled_ms
            WHEN run.is_free = 1 AND sale.is_change = 0 THEN sale.canceled_ms
        END AS taken_ms,
        sale.is_change, sale.next_start_ms, sale.next_purchase_id,
        CASE WHEN coalesce(sale.billing_plan, '') <> 'MONTHLY' AND state.grace_ms > sale.expires_ms THEN state.grace_ms END AS grace_ms,
        CASE
            WHEN state.retry_over_ms < sale.expires_ms + run.retry_limit_ms THEN state.retry_over_ms
            WHEN state.retried_ms IS NOT NULL THEN sale.expires_ms + run.retry_limit_ms
        END AS retry_ms,
        sale.expires_ms + run.retry_limit_ms AS given_up_ms,
        sale.is_next_alike, sale.billing_plan, commitment.payments_left,
        -- Within a commitment, documents state that renewal is on even if the customer canceled, so what they state
        -- about the next commitment counts instead.
        CASE
            WHEN coalesce(sale.billing_plan, '') <> 'MONTHLY' OR commitment.payments_left = 0
                THEN coalesce(commitment.will_renew, state.auto_renew_status)
            ELSE commitment.will_renew
        END AS will_renew,
        state.auto_renew_status, state.is_in_billing_retry, state.expiration_intent, state.renewal_ms,
        known.known_ms AS own_known_ms, app.horizon_ms,
        CASE WHEN sale.expires_ms > app.first_notification_ms THEN app.notified_ms END AS notified_ms
    FROM runs AS run
    LEFT JOIN model_sales AS sale ON sale.purchase_id = run.purchase_id
    LEFT JOIN model_originals AS known ON known.original_id = sale.original_id AND known.app_id = sale.app_id
    LEFT JOIN model_apps AS app ON app.app_id = sale.app_id
    LEFT JOIN model_renewal_states AS state
        ON state.original_id = sale.original_id
        AND state.app_id = sale.app_id
        AND state.start_ms = sale.start_ms
        AND state.until_ms IS NULL
    LEFT JOIN model_commitments AS commitment
        ON commitment.purchase_id = CASE WHEN sale.billing_plan IS NOT NULL THEN run.purchase_id END
),

cut AS (
    SELECT
        stated.*,
        -- What ended the subscription, as the period's last renewal info states; null during billing retry.
        CASE
            WHEN is_in_billing_retry = 1 THEN NULL
            WHEN expiration_intent = 1 THEN 'voluntary'
            WHEN expiration_intent = 3 THEN 'price_increase'
            WHEN expiration_intent = 4 THEN 'product_gone'
            WHEN billing_plan = 'MONTHLY' AND expiration_intent = 2 AND is_in_billing_retry = 0 THEN 'billing'
            WHEN will_renew IS NULL OR will_renew = 1 OR payments_left > 0 THEN NULL
            WHEN expiration_intent IS NULL THEN 'voluntary'
            WHEN expiration_intent = 5 THEN 'cause_unknown'
        END AS ended_by,
        CASE
            WHEN auto_renew_status = 1
                AND (will_renew = 1 OR payments_left > 0)
                AND expiration_intent IS NULL
                AND coalesce(is_in_billing_retry, 0) = 0
                AND renewal_ms > expires_ms + 3600000
                THEN 1
            ELSE 0
        END AS is_renewed_unseen,
        CASE
            WHEN taken_ms < expires_ms AND (next_start_ms IS NULL OR taken_ms < next_start_ms)
                THEN CASE WHEN taken_ms < start_ms THEN start_ms ELSE taken_ms END
        END AS cut_ms
    FROM stated
),

followed AS (
    SELECT
        cut.*,
        CASE WHEN notified_ms > own_known_ms THEN notified_ms ELSE own_known_ms END AS known_ms,
        CASE
            WHEN cut_ms IS NOT NULL THEN cut_ms
            WHEN next_start_ms < expires_ms THEN next_start_ms
            WHEN grace_ms > next_start_ms THEN CASE WHEN next_start_ms > expires_ms THEN next_start_ms ELSE expires_ms END
            ELSE coalesce(grace_ms, expires_ms)
        END AS access_ms,
        CASE
            WHEN next_start_ms IS NULL THEN NULL
            WHEN cut_ms IS NOT NULL THEN 'return'
            WHEN is_change = 1 THEN 'change'
            WHEN next_start_ms <= expires_ms + 86400000 THEN 'renewal'
            WHEN next_start_ms <= given_up_ms AND ended_by IS NULL THEN 'recovery'
            ELSE 'return'
        END AS followed_by
    FROM cut
),

judged AS (
    SELECT
        followed.*,
        CASE
            WHEN followed_by = 'renewal' THEN 'renewed'
            WHEN followed_by = 'change' THEN 'changed'
            WHEN followed_by = 'recovery' THEN 'recovered'
            WHEN cut_ms IS NOT NULL THEN 'refunded'
            WHEN is_change = 1 OR (followed_by IS NULL AND is_renewed_unseen = 1) THEN 'unknown'
            WHEN followed_by = 'return' THEN 'lapsed'
            WHEN access_ms > horizon_ms THEN 'running'
            WHEN ended_by IS NOT NULL AND known_ms >= expires_ms THEN 'lapsed'
            WHEN known_ms >= given_up_ms THEN 'lapsed'
            WHEN known_ms >= access_ms AND horizon_ms < given_up_ms THEN 'retrying'
            ELSE 'unknown'
        END AS fate
    FROM followed
)

SELECT
    purchase_id, judged.app_id, original_id, product_number,
    CASE WHEN is_free = 0 THEN 'paid' WHEN has_paid = 1 THEN 'free' ELSE 'trial' END AS kind,
    CASE
        WHEN days < 3 THEN NULL
        WHEN days < 15 THEN 7
        WHEN days < 46 THEN 30
        WHEN days < 76 THEN 61
        WHEN days < 136 THEN 91
        WHEN days < 271 THEN 182
        ELSE 365
    END AS plan_days,
    price_source, currency,
    CASE
        WHEN is_free = 1 OR days < 3 THEN NULL
        WHEN days < 15 THEN CAST(floor(CAST(price_milliunits AS DOUBLE) * 13 / 3 + 0.5) AS BIGINT)
        WHEN days < 46 THEN price_milliunits
        WHEN days < 76 THEN CAST(floor(CAST(price_milliunits AS DOUBLE) / 2 + 0.5) AS BIGINT)
        WHEN days < 136 THEN CAST(floor(CAST(price_milliunits AS DOUBLE) / 3 + 0.5) AS BIGINT)
        WHEN days < 271 THEN CAST(floor(CAST(price_milliunits AS DOUBLE) / 6 + 0.5) AS BIGINT)
        ELSE CAST(floor(CAST(price_milliunits AS DOUBLE) / 12 + 0.5) AS BIGINT)
    END AS month_milliunits,
    start_ms, expires_ms, access_ms, grace_ms, retry_ms, next_start_ms, next_purchase_id, is_next_alike, followed_by,
    fate,
    CASE
        WHEN fate = 'refunded' THEN 'refund'
        WHEN fate <> 'lapsed' THEN NULL
        WHEN ended_by IS NOT NULL THEN ended_by
        WHEN expiration_intent = 2 OR is_in_billing_retry = 1 THEN 'billing'
        ELSE 'cause_unknown'
    END AS cause,
    CASE WHEN next_start_ms IS NOT NULL OR (is_change = 0 AND is_renewed_unseen = 0) THEN own_known_ms END AS known_ms,
    billing_plan, payments_left, will_renew, auto_renew_status, is_in_billing_retry,
    CASE WHEN start_ms < started.midnight_ms THEN started.earlier_day ELSE started.later_day END AS start_day,
    CASE WHEN start_ms < started.midnight_ms THEN started.earlier_month ELSE started.later_month END AS start_month,
    CASE WHEN expires_ms < expired.midnight_ms THEN expired.earlier_month ELSE expired.later_month END AS expires_month,
    CASE WHEN access_ms < ended.midnight_ms THEN ended.earlier_month ELSE ended.later_month END AS access_month
FROM judged
LEFT JOIN model_utc_days AS started ON started.utc_day = CAST((start_ms - start_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_utc_days AS expired ON expired.utc_day = CAST((expires_ms - expires_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_utc_days AS ended ON ended.utc_day = CAST((access_ms - access_ms % 86400000) / 86400000 AS BIGINT)
