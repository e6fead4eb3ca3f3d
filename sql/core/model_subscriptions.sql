-- Subscriptions: what each began as, when it was paid first, and when it was first lost.
--
-- The first loss is the end of the first period that lapsed or was refunded after the first payment; who comes back is
-- not retained, and who changes the product is. A plan length is that of the first paid period.
--
-- Grain: one row per app and original transaction with a period
-- Key: original_id, app_id
--
-- Columns:
--   app_id             INTEGER  –        app and environment, by the loader's number
--   original_id        ANY      –        identifier of the original transaction
--   customer_id        INTEGER  –        who pays
--   start_ms           INTEGER  ms       start of its first period
--   start_month        INTEGER  –        number of the month of that
--   product_number     INTEGER  –        product of its first paid period; of its first period where none was paid
--   trial_expires_ms   INTEGER  ms       planned end of its first trial
--   trial_start_ms     INTEGER  ms       start of that trial
--   trial_month        INTEGER  –        number of the month of that
--   trial_product      INTEGER  –        product of that trial, by the loader's number
--   paid_start_ms      INTEGER  ms       start of its first paid period
--   paid_month         INTEGER  –        number of the month of that
--   plan_days          INTEGER  days     length of that period's plan
--   paid_offer         TEXT     –        offer of that period, or full
--   is_paid_refunded   INTEGER  0 or 1   1: that period was refunded while it ran
--   lost_ms            INTEGER  ms       planned end of the period with which it was lost first
--   lost_fate          TEXT     –        fate of the first period after which it was not, or not known to be, active:
--                                        lapsed, refunded, unknown, retrying, running; null where none was paid
--   last_fate          TEXT     –        fate of its last period
--   last_access_ms     INTEGER  ms       end of access of its last period
--   known_ms           INTEGER  ms       until when what follows its last period is known
WITH ordered AS (
    SELECT
        period.*,
        row_number() OVER so_far AS place,
        sum(CASE WHEN kind = 'trial' THEN 1 ELSE 0 END) OVER so_far AS trials,
        sum(CASE WHEN kind = 'paid' THEN 1 ELSE 0 END) OVER so_far AS payments,
        sum(CASE WHEN kind <> 'trial' AND fate NOT IN ('renewed', 'changed', 'recovered') THEN 1 ELSE 0 END) OVER so_far
            AS losses,
        lead(start_ms) OVER (PARTITION BY original_id, app_id ORDER BY start_ms, purchase_id) AS later_ms
    FROM model_periods AS period
    WINDOW so_far AS (
        PARTITION BY original_id, app_id ORDER BY start_ms, purchase_id
        ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )
),

marked AS (
    SELECT
        app_id,
        original_id,
        product_number,
        start_ms,
        start_month,
        expires_ms,
        access_ms,
        known_ms,
        fate,
        offer,
        plan_days,
        CASE WHEN place = 1 THEN 1 ELSE 0 END AS is_first,
        CASE WHEN kind = 'trial' AND trials = 1 THEN 1 ELSE 0 END AS is_trial,
        CASE WHEN kind = 'paid' AND payments = 1 THEN 1 ELSE 0 END AS is_paid,
        CASE
            WHEN kind <> 'trial' AND losses = 1 AND fate NOT IN ('renewed', 'changed', 'recovered') THEN 1 ELSE 0
        END AS is_lost,
        CASE WHEN later_ms IS NULL THEN 1 ELSE 0 END AS is_last
    FROM ordered
),

gathered AS (
    SELECT
        app_id,
        original_id,
        min(start_ms) AS start_ms,
        min(start_month) AS start_month,
        max(CASE WHEN is_first = 1 THEN product_number END) AS first_product,
        max(CASE WHEN is_trial = 1 THEN expires_ms END) AS trial_expires_ms,
        max(CASE WHEN is_trial = 1 THEN start_ms END) AS trial_start_ms,
        max(CASE WHEN is_trial = 1 THEN start_month END) AS trial_month,
        max(CASE WHEN is_trial = 1 THEN product_number END) AS trial_product,
        max(CASE WHEN is_paid = 1 THEN start_ms END) AS paid_start_ms,
        max(CASE WHEN is_paid = 1 THEN start_month END) AS paid_month,
        max(CASE WHEN is_paid = 1 THEN product_number END) AS paid_product,
        max(CASE WHEN is_paid = 1 THEN plan_days END) AS plan_days,
        max(CASE WHEN is_paid = 1 THEN offer END) AS paid_offer,
        max(CASE WHEN is_paid = 1 AND fate = 'refunded' THEN 1 ELSE 0 END) AS is_paid_refunded,
        max(CASE WHEN is_lost = 1 THEN expires_ms END) AS lost_ms,
        max(CASE WHEN is_lost = 1 THEN fate END) AS lost_fate,
        max(CASE WHEN is_last = 1 THEN fate END) AS last_fate,
        max(CASE WHEN is_last = 1 THEN access_ms END) AS last_access_ms,
        max(CASE WHEN is_last = 1 THEN known_ms END) AS known_ms
    FROM marked
    WHERE is_first + is_trial + is_paid + is_lost + is_last > 0
    GROUP BY original_id, app_id
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
    gathered.paid_offer,
    gathered.is_paid_refunded,
    gathered.lost_ms,
    gathered.lost_fate,
    gathered.last_fate,
    gathered.last_access_ms,
    gathered.known_ms
FROM gathered
JOIN model_originals AS known ON known.original_id = gathered.original_id AND known.app_id = gathered.app_id
