-- How long subscriptions survive, in plan lengths from the first payment. The rows are changes from length to length;
-- the Kaplan-Meier estimate and the active share are computed from them. A lost subscription counts as lost at the
-- first length that its last period does not reach. A refunded one counts as lost at the first length after both the
-- start of that period and the refund. A subscription that comes back is active again, but still counts as lost; it is
-- not active at a length that was due before it came back.
--
-- Grain: one row per app, cohort month, starting product, plan, and number of plan lengths at which something changes
-- Key: app_id, cohort_month, product_number, plan_days, length
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id          INTEGER!  –              app and environment, by the loader's number
--   cohort_month    INTEGER!  –              number of the month of the first payment
--   product_number  INTEGER!  –              product of the first paid period, by the loader's number; 0 if none is
--                                            stated
--   plan_days       INTEGER!  days           length of the first paid period's plan
--   length          INTEGER!  –              number of plan lengths since the first payment
--   last_at_risk    INTEGER!  subscriptions  subscriptions at risk for the last time at this length: lost here, or
--                                            known no further
--   lost            INTEGER!  subscriptions  of those at risk for the last time, those that are lost
--   active_change   INTEGER!  subscriptions  change of the number of active subscriptions (paid, or in grace) since the
--                                            length before
--   last_known      INTEGER!  subscriptions  subscriptions whose activity is known up to this length, and no further
--   retrying        INTEGER!  subscriptions  subscriptions whose payment for this length is still being retried at the
--                                            app's newest document
WITH ended AS (
    -- The first length that the subscription did not reach, or, if it still runs, the last length that it reached.
    SELECT
        subscription.app_id, subscription.paid_month AS cohort_month,
        coalesce(subscription.product_number, 0) AS product_number,
        subscription.plan_days,
        CASE WHEN subscription.lost_fate IN ('lapsed', 'refunded') THEN 1 ELSE 0 END AS is_lost,
        CASE
            WHEN subscription.lost_fate = 'running'
                THEN CAST(floor(
                    CAST(app.horizon_ms - subscription.paid_start_ms - plans.tolerance_ms AS DOUBLE) / plans.plan_ms
                ) AS BIGINT)
            WHEN subscription.lost_fate <> 'refunded'
                THEN CAST(floor(
                    CAST(subscription.lost_ms - subscription.paid_start_ms - plans.tolerance_ms AS DOUBLE) / plans.plan_ms
                ) AS BIGINT) + 1
            -- A period that starts up to three days early counts as having reached the length.
            WHEN subscription.lost_start_ms + 2 * plans.tolerance_ms >= subscription.lost_access_ms
                THEN CAST(floor(
                    CAST(subscription.lost_start_ms - subscription.paid_start_ms + plans.tolerance_ms AS DOUBLE) / plans.plan_ms
                ) AS BIGINT) + 1
            ELSE CAST(floor(
                CAST(subscription.lost_access_ms - subscription.paid_start_ms - plans.tolerance_ms AS DOUBLE) / plans.plan_ms
            ) AS BIGINT) + 1
        END AS length,
        CASE WHEN subscription.lost_fate IN ('unknown', 'retrying') THEN 1 ELSE 0 END AS is_open,
        CASE WHEN subscription.lost_fate = 'retrying' THEN 1 ELSE 0 END AS is_retrying,
        CASE
            WHEN subscription.last_fate = 'unknown'
                THEN CAST(floor(
                    CAST(subscription.last_access_ms - subscription.paid_start_ms - plans.tolerance_ms AS DOUBLE) / plans.plan_ms
                ) AS BIGINT)
            ELSE CAST(floor(
                CAST(app.horizon_ms - subscription.paid_start_ms - plans.tolerance_ms AS DOUBLE) / plans.plan_ms
            ) AS BIGINT)
        END AS known_length
    FROM model_subscriptions AS subscription
    JOIN internal_plans AS plans ON plans.plan_days = subscription.plan_days
    JOIN model_apps AS app ON app.app_id = subscription.app_id
    WHERE subscription.paid_start_ms IS NOT NULL
        AND subscription.paid_month IS NOT NULL
),

exits AS (
    SELECT
        app_id, cohort_month, product_number, plan_days, is_lost, is_retrying, length,
        -- A loss counts at length 1 or later; an open end was at risk one length earlier.
        CASE
            WHEN is_lost = 1 AND length < 1 THEN 1
            WHEN length - is_open < 0 THEN 0
            ELSE length - is_open
        END AS last_length,
        CASE WHEN known_length < 0 THEN 0 ELSE known_length END AS known_length
    FROM ended
),

changes AS (
    SELECT
        app_id, cohort_month, product_number, plan_days, last_length AS length, 1 AS last_at_risk, is_lost AS lost,
        0 AS active_change, 0 AS last_known, 0 AS retrying
    FROM exits
    UNION ALL
    SELECT app_id, cohort_month, product_number, plan_days, known_length, 0, 0, 0, 1, 0
    FROM exits
    UNION ALL
    SELECT app_id, cohort_month, product_number, plan_days, length, 0, 0, 0, 0, 1
    FROM exits
    WHERE is_retrying = 1
    UNION ALL
    SELECT app_id, cohort_month, product_number, plan_days, length, 0, 0, active_change, 0, 0
    FROM model_paid_lengths
)

SELECT
    app_id, cohort_month, product_number, plan_days, length,
    sum(last_at_risk) AS last_at_risk,
    sum(lost) AS lost,
    sum(active_change) AS active_change,
    sum(last_known) AS last_known,
    sum(retrying) AS retrying
FROM changes
GROUP BY app_id, cohort_month, product_number, plan_days, length
