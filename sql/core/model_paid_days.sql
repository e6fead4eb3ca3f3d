-- Days of paid service before each paid period; Apple's lower commission after the first year depends on them. Days add
-- up within one subscription group, whatever the products, and stop at the planned end, a change, or a refund that ends
-- access. A payment within a stated grace period leaves no gap; billing retry without grace is not paid time. Trials
-- and free periods do not count. If the customer pays again within 60 days after the last paid day, the days continue;
-- after a longer gap, or in another group, they start again from zero.
--
-- Grain: one row per paid period
-- Key: purchase_id
-- Slice: purchase_id
-- Reference: purchase_id = model_sales(purchase_id)
--
-- Columns:
--   purchase_id  INTEGER!  –     the period's transaction, by the loader's number
--   paid_days    INTEGER!  days  days of paid service before the period, rounded, so that a renewal up to half a day
--                                early loses none
WITH served AS (
    SELECT
        period.purchase_id, period.original_id, period.app_id, period.start_ms, terms.subscription_group,
        CASE WHEN sale.refund_ms IS NOT NULL THEN sale.canceled_ms END AS taken_ms,
        CASE
            WHEN period.next_start_ms > period.expires_ms AND period.next_start_ms <= period.grace_ms THEN period.next_start_ms
            WHEN period.access_ms < period.expires_ms THEN period.access_ms
            ELSE period.expires_ms
        END AS ends_ms
    FROM model_periods AS period
    JOIN model_sales AS sale ON sale.purchase_id = period.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = period.purchase_id
    WHERE period.kind = 'paid'
),

cut AS (
    SELECT
        purchase_id, original_id, app_id, start_ms, subscription_group,
        CASE
            WHEN taken_ms < start_ms THEN start_ms
            WHEN taken_ms < ends_ms THEN taken_ms
            ELSE ends_ms
        END AS ends_ms
    FROM served
),

summed AS (
    SELECT
        purchase_id, original_id, app_id, start_ms,
        coalesce(sum(ends_ms - start_ms) OVER (
            PARTITION BY original_id, app_id ORDER BY start_ms, purchase_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
        ), 0) AS paid_ms,
        CASE
            WHEN start_ms - lag(ends_ms) OVER subscription > 5184000000 THEN 1
            WHEN subscription_group <> lag(subscription_group) OVER subscription THEN 1
            ELSE 0
        END AS is_restart
    FROM cut
    WINDOW subscription AS (PARTITION BY original_id, app_id ORDER BY start_ms, purchase_id)
)

SELECT
    purchase_id,
    -- The sum never falls, so the largest sum at a restart is the sum at the last restart.
    CAST(floor((paid_ms - max(is_restart * paid_ms) OVER (
        PARTITION BY original_id, app_id ORDER BY start_ms, purchase_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) + 43200000) / 86400000.0) AS BIGINT) AS paid_days
FROM summed
