-- Customers who were active in a month, were subscribed at its end, or bought in it, as changes from month to month;
-- each customer counts once. Active customers had a subscription period or a trial, bought anything, or presented a
-- document created in the month. Users who bought nothing count as customers, too.
--
-- Grain: one row per app and month in which something changes
-- Key: app_id, month_number
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id             INTEGER!  –          app and environment, by the loader's number
--   month_number       INTEGER!  –          number of the month that is compared with the month before
--   active_change      INTEGER!  customers  change of the number of active customers since the month before
--   subscribed_change  INTEGER!  customers  change of the number of customers with a paid subscription at the month's
--                                           last second, since the month before
--   buyers             INTEGER!  customers  customers with a paid sale in the month
--   entries            INTEGER!  –          number of changes and sales that this row sums up
WITH spans AS (
    SELECT
        subscription.customer_id AS person,
        period.app_id,
        period.start_month AS first_month,
        coalesce(period.access_month, period.start_month) AS active_until,
        -- The last month at whose last second the period runs.
        CASE WHEN period.kind = 'paid' THEN coalesce(period.access_month, 999999) - 1 ELSE 0 END AS subscribed_until
    FROM model_periods AS period
    JOIN model_subscriptions AS subscription
        ON subscription.original_id = period.original_id AND subscription.app_id = period.app_id
    WHERE period.start_month IS NOT NULL
    UNION ALL
    SELECT sale.customer_id, sale.app_id, day.month_number, day.month_number, 0
    FROM model_sales AS sale
    JOIN model_days AS day ON day.day_number = sale.sold_day
    WHERE sale.is_period = 0
        AND sale.customer_id IS NOT NULL
    UNION ALL
    SELECT
        person,
        app_id,
        month_number,
        month_number,
        0
    FROM (
        SELECT DISTINCT
            -- Users who belong to no customer get numbers of their own.
            coalesce(payer.customer_id, -presentation.user_id) AS person,
            presentation.app_id,
            CASE WHEN receipt.receipt_creation_date < day.midnight_ms THEN day.earlier_month ELSE day.later_month END AS month_number
        FROM model_presentations AS presentation
        JOIN receipt ON receipt.receipt_id = presentation.receipt_id
        JOIN model_utc_days AS day
            ON day.utc_day = CAST((receipt.receipt_creation_date - receipt.receipt_creation_date % 86400000) / 86400000 AS BIGINT)
        LEFT JOIN model_user_customers AS payer ON payer.user_id = presentation.user_id
    ) AS made
),

reached AS (
    SELECT
        app_id,
        first_month,
        active_until,
        subscribed_until,
        coalesce(max(active_until) OVER earlier, 0) AS reached_active,
        coalesce(max(subscribed_until) OVER earlier, 0) AS reached_subscribed
    FROM spans
    WINDOW earlier AS (PARTITION BY person ORDER BY first_month, active_until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
),

begun AS (
    SELECT
        app_id,
        'active' AS state,
        CASE WHEN reached_active >= first_month THEN reached_active + 1 ELSE first_month END AS first_month,
        active_until AS last_month
    FROM reached
    WHERE active_until > reached_active
    UNION ALL
    SELECT
        app_id,
        'subscribed',
        CASE WHEN reached_subscribed >= first_month THEN reached_subscribed + 1 ELSE first_month END,
        subscribed_until
    FROM reached
    WHERE subscribed_until > reached_subscribed
        AND subscribed_until >= first_month
),

changes AS (
    SELECT app_id, state, first_month AS month_number, 1 AS change, 1 AS entries
    FROM begun
    UNION ALL
    SELECT app_id, state, last_month + 1, -1, 1
    FROM begun
    UNION ALL
    SELECT sale.app_id, 'buyers', day.month_number, count(DISTINCT sale.customer_id), count(*)
    FROM model_sales AS sale
    JOIN model_days AS day ON day.day_number = sale.sold_day
    WHERE sale.is_paid = 1
    GROUP BY sale.app_id, day.month_number
)

SELECT
    app_id,
    month_number,
    sum(CASE WHEN state = 'active' THEN change ELSE 0 END) AS active_change,
    sum(CASE WHEN state = 'subscribed' THEN change ELSE 0 END) AS subscribed_change,
    sum(CASE WHEN state = 'buyers' THEN change ELSE 0 END) AS buyers,
    sum(entries) AS entries
FROM changes
GROUP BY app_id, month_number
