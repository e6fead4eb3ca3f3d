-- After how many plan lengths from the first payment subscriptions become active (paid, or in grace) and cease to be
-- active. A subscription that comes back is active again, but not at a length that was due before it came back.
--
-- Grain: one row per app, cohort month, starting product, plan, and number of plan lengths at which something changes
-- Key: app_id, cohort_month, product_number, plan_days, length
-- Sums: entries
-- Reference: app_id = app(app_id)
--
-- Columns:
--   app_id          INTEGER!  –              app and environment, by the loader's number
--   cohort_month    INTEGER!  –              number of the month of the first payment
--   product_number  INTEGER!  –              product of the first paid period, by the loader's number; 0 if none is
--                                            stated
--   plan_days       INTEGER!  days           length of the first paid period's plan
--   length          INTEGER!  –              number of plan lengths since the first payment
--   active_change   INTEGER!  subscriptions  change of the number of active subscriptions since the length before
--   entries         INTEGER!  –              number of begins and ends of periods that this row sums up
WITH started AS (
    SELECT
        subscription.app_id, subscription.original_id, subscription.paid_month AS cohort_month,
        coalesce(subscription.product_number, 0) AS product_number,
        subscription.plan_days, plans.plan_ms, plans.tolerance_ms,
        subscription.paid_start_ms + plans.tolerance_ms AS from_ms
    FROM model_subscriptions AS subscription
    JOIN internal_plans AS plans ON plans.plan_days = subscription.plan_days
    WHERE subscription.paid_start_ms IS NOT NULL
        AND subscription.paid_month IS NOT NULL
),

ran AS (
    SELECT
        started.app_id, started.cohort_month, started.product_number, started.plan_days, started.plan_ms, started.tolerance_ms, started.from_ms,
        period.start_ms,
        CAST(floor(CAST(period.start_ms - started.from_ms AS DOUBLE) / started.plan_ms) AS BIGINT) + 1 AS first_length,
        CAST(floor(CAST(period.access_ms - started.from_ms AS DOUBLE) / started.plan_ms) AS BIGINT) + 1 AS past_length,
        lag(period.fate) OVER subscription AS former_fate,
        lag(period.expires_ms) OVER subscription AS former_expires_ms
    FROM started
    JOIN model_periods AS period ON period.original_id = started.original_id AND period.app_id = started.app_id
    WHERE period.kind <> 'trial'
    WINDOW subscription AS (
        PARTITION BY period.original_id, period.app_id ORDER BY period.start_ms, period.expires_ms, period.purchase_id
    )
),

dated AS (
    SELECT ran.*, from_ms - tolerance_ms + plan_ms * first_length AS due_ms FROM ran
),

-- The plan lengths that a paid period covers; the subscription is active at these lengths. A return covers its first
-- length unless it starts after that length was due: at the planned end of the previous period if that is near,
-- otherwise after an average length.
covered AS (
    SELECT
        app_id, cohort_month, product_number, plan_days,
        first_length + CASE
            WHEN former_fate NOT IN ('lapsed', 'refunded') THEN 0
            WHEN abs(former_expires_ms - due_ms) <= tolerance_ms AND start_ms > former_expires_ms THEN 1
            WHEN abs(former_expires_ms - due_ms) > tolerance_ms AND start_ms > due_ms THEN 1
            ELSE 0
        END AS first_length,
        past_length
    FROM dated
),

changes AS (
    SELECT app_id, cohort_month, product_number, plan_days, first_length AS length, 1 AS active_change
    FROM covered
    WHERE first_length < past_length
    UNION ALL
    SELECT app_id, cohort_month, product_number, plan_days, past_length, -1
    FROM covered
    WHERE first_length < past_length
)

SELECT
    app_id, cohort_month, product_number, plan_days, length,
    sum(active_change) AS active_change,
    count(*) AS entries
FROM changes
GROUP BY app_id, cohort_month, product_number, plan_days, length
