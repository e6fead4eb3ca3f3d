-- Subscriptions: how each began, when it was first paid, and when it was first lost.
--
-- The first loss is the end of the first period after the first payment that lapsed or was refunded. A subscription
-- that comes back later still counts as lost; one that changes its product does not. The plan length is that of the
-- first paid period.
--
-- Grain: one row per app and original transaction with a period
-- Key: original_id, app_id
-- Slice: original_id, app_id
-- Reference: original_id, app_id = model_originals(original_id, app_id)
-- Reference: customer_id = model_customers(customer_id)
-- Reference: last_purchase_id = model_sales(purchase_id)
--
-- Columns:
--   app_id             INTEGER!  –       app and environment, by the loader's number
--   original_id        ANY!      –       identifier of the subscription: its first original transaction
--   customer_id        INTEGER   –       customer who pays, as in model_customers
--   start_ms           INTEGER!  ms      start of the subscription's first period
--   start_month        INTEGER   –       number of the month in which the subscription's first period starts
--   product_number     INTEGER   –       product of the subscription's first paid period, else of its first period, by
--                                        the loader's number
--   trial_expires_ms   INTEGER   ms      planned end of the subscription's first trial; null if there was none
--   trial_start_ms     INTEGER   ms      start of the subscription's first trial; null if there was none
--   trial_month        INTEGER   –       number of the month in which the subscription's first trial starts
--   trial_product      INTEGER   –       product of the subscription's first trial, by the loader's number
--   paid_start_ms      INTEGER   ms      start of the subscription's first paid period; null if none was paid
--   paid_month         INTEGER   –       number of the month in which the subscription's first paid period starts
--   plan_days          INTEGER   days    plan length of the subscription's first paid period
--   paid_offer         TEXT      –       offer of the subscription's first paid period; full if it had none
--   is_paid_refunded   INTEGER!  0 or 1  1: the subscription's first paid period was refunded while it ran
--   lost_start_ms      INTEGER   ms      start of the first period, from the first payment on, that was not renewed,
--                                        changed or recovered
--   lost_access_ms     INTEGER   ms      end of access of the period that starts at lost_start_ms
--   lost_ms            INTEGER   ms      planned end of the period that starts at lost_start_ms
--   lost_fate          TEXT      –       how the period that starts at lost_start_ms ended: lapsed, refunded, unknown,
--                                        retrying, or running; null if no period was paid
--   last_purchase_id   INTEGER!  –       transaction of the subscription's last period, by the loader's number
--   last_fate          TEXT!     –       how the subscription's last period ended: fate as in model_periods
--   last_access_ms     INTEGER   ms      end of access of the subscription's last period
--   last_access_month  INTEGER   –       number of the month in which access ends for the subscription's last period
--   last_expires_ms    INTEGER   ms      planned end of the subscription's last period
--   known_ms           INTEGER   ms      until this time it is known what followed the subscription's last period, as
--                                        in model_periods
WITH places AS (
    SELECT
        app_id,
        original_id,
        min(start_ms) AS start_ms,
        max(start_ms) AS last_ms,
        min(CASE WHEN kind = 'trial' THEN start_ms END) AS trial_ms,
        min(CASE WHEN kind = 'paid' THEN start_ms END) AS paid_ms,
        min(CASE WHEN kind <> 'trial' AND fate NOT IN ('renewed', 'changed', 'recovered') THEN start_ms END) AS lost_start_ms
    FROM model_periods
    GROUP BY original_id, app_id
),

gathered AS (
    SELECT
        places.app_id,
        places.original_id,
        min(places.start_ms) AS start_ms,
        min(period.start_month) AS start_month,
        min(CASE WHEN period.start_ms = places.start_ms THEN period.product_number END) AS first_product,
        min(CASE WHEN period.start_ms = places.trial_ms AND period.kind = 'trial' THEN period.expires_ms END) AS trial_expires_ms,
        min(places.trial_ms) AS trial_start_ms,
        min(CASE WHEN period.start_ms = places.trial_ms THEN period.start_month END) AS trial_month,
        min(CASE WHEN period.start_ms = places.trial_ms AND period.kind = 'trial' THEN period.product_number END) AS trial_product,
        min(places.paid_ms) AS paid_start_ms,
        min(CASE WHEN period.start_ms = places.paid_ms THEN period.start_month END) AS paid_month,
        min(CASE WHEN period.start_ms = places.paid_ms AND period.kind = 'paid' THEN period.product_number END) AS paid_product,
        min(CASE WHEN period.start_ms = places.paid_ms AND period.kind = 'paid' THEN period.plan_days END) AS plan_days,
        min(CASE WHEN period.start_ms = places.paid_ms AND period.kind = 'paid' THEN period.purchase_id END) AS paid_purchase_id,
        max(CASE WHEN period.start_ms = places.paid_ms AND period.fate = 'refunded' THEN 1 ELSE 0 END) AS is_paid_refunded,
        min(places.lost_start_ms) AS lost_start_ms,
        max(CASE WHEN period.start_ms = places.lost_start_ms THEN period.access_ms END) AS lost_access_ms,
        max(CASE WHEN period.start_ms = places.lost_start_ms THEN period.expires_ms END) AS lost_ms,
        max(CASE
            WHEN period.start_ms = places.lost_start_ms AND period.fate NOT IN ('renewed', 'changed', 'recovered') THEN period.fate
        END) AS lost_fate,
        max(CASE WHEN period.start_ms = places.last_ms THEN period.purchase_id END) AS last_purchase_id,
        max(CASE WHEN period.start_ms = places.last_ms THEN period.fate END) AS last_fate,
        max(CASE WHEN period.start_ms = places.last_ms THEN period.access_ms END) AS last_access_ms,
        max(CASE WHEN period.start_ms = places.last_ms THEN period.access_month END) AS last_access_month,
        max(CASE WHEN period.start_ms = places.last_ms THEN period.expires_ms END) AS last_expires_ms,
        max(CASE WHEN period.start_ms = places.last_ms THEN period.known_ms END) AS known_ms
    FROM places
    JOIN model_periods AS period
        ON period.original_id = places.original_id
        AND period.app_id = places.app_id
    WHERE period.start_ms = places.start_ms
        OR period.start_ms = places.last_ms
        OR period.start_ms = places.trial_ms
        OR period.start_ms = places.paid_ms
        OR period.start_ms = places.lost_start_ms
    GROUP BY places.original_id, places.app_id
)

SELECT
    gathered.app_id,
    gathered.original_id,
    known.customer_id,
    gathered.start_ms,
    gathered.start_month,
    coalesce(gathered.paid_product, gathered.first_product) AS product_number,
    gathered.trial_expires_ms,
    gathered.trial_start_ms,
    gathered.trial_month,
    gathered.trial_product,
    gathered.paid_start_ms,
    gathered.paid_month,
    gathered.plan_days,
    paid.offer AS paid_offer,
    gathered.is_paid_refunded,
    gathered.lost_start_ms,
    gathered.lost_access_ms,
    gathered.lost_ms,
    gathered.lost_fate,
    gathered.last_purchase_id,
    gathered.last_fate,
    gathered.last_access_ms,
    gathered.last_access_month,
    gathered.last_expires_ms,
    gathered.known_ms
FROM gathered
JOIN model_originals AS known ON known.original_id = gathered.original_id AND known.app_id = gathered.app_id
LEFT JOIN model_sales AS paid ON paid.purchase_id = gathered.paid_purchase_id
