-- Subscriptions whose access ended in each month, and the outcome of due payments, for churn and renewal rates. Ends of
-- access count for periods that were paid, or free after a payment. A subscription was active as a month began if it
-- ran at the last second before it, as in model_active_changes. If it ends several times in a month, only the first end
-- counts for that; later ones count as lapsed_new.
--
-- Grain: one row per app, product and month
-- Key: app_id, product_number, month_number
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id          INTEGER!  –              app and environment, by the loader's number
--   product_number  INTEGER!  –              product, by the loader's number; 0 if none is stated
--   month_number    INTEGER!  –              number of the month in which access ended, or, for due periods, in which
--                                            the period was to expire
--   lapsed          INTEGER!  subscriptions  subscriptions active as the month began that lapsed or were refunded in it
--   lapsed_new      INTEGER!  subscriptions  subscriptions that lapsed or were refunded in the month in which they had
--                                            become active
--   unknown         INTEGER!  subscriptions  subscriptions active as the month began whose access ended in it, and of
--                                            which no document states what followed
--   retrying        INTEGER!  subscriptions  subscriptions active as the month began whose access ended in it and whose
--                                            payment is still being retried at the app's newest document
--   voluntary       INTEGER!  subscriptions  of the lapsed, those that the customer ended
--   billing         INTEGER!  subscriptions  of the lapsed, those whose payment failed
--   price_increase  INTEGER!  subscriptions  of the lapsed, those whose customer did not agree to a higher price
--   product_gone    INTEGER!  subscriptions  of the lapsed, those whose product was removed
--   refund          INTEGER!  subscriptions  of the lapsed, those whose period was refunded while it ran
--   cause_unknown   INTEGER!  subscriptions  of the lapsed, those whose cause no renewal info states
--   won_back        INTEGER!  subscriptions  of the lapsed, those with another period within 90 days
--   due             INTEGER!  periods        paid periods that were to expire in the month and were renewed, recovered
--                                            or lapsed
--   due_unknown     INTEGER!  periods        paid periods that were to expire in the month, and of which no document
--                                            states what followed
--   due_retrying    INTEGER!  periods        paid periods that were to expire in the month and whose payment is still
--                                            being retried at the app's newest document
--   renewed         INTEGER!  periods        of the due, those that were renewed
--   recovered       INTEGER!  periods        of the due, those that were paid later, during billing retry
--   entries         INTEGER!  –              number of ends of access and of periods that this row sums up
WITH placed AS (
    SELECT
        purchase_id,
        app_id,
        original_id,
        product_number,
        fate,
        cause,
        start_month,
        access_month,
        row_number() OVER (PARTITION BY original_id, app_id, access_month ORDER BY start_ms, purchase_id) AS place,
        CASE WHEN next_start_ms <= access_ms + 7776000000 THEN 1 ELSE 0 END AS is_won_back
    FROM model_periods
    WHERE kind <> 'trial'
        AND fate IN ('lapsed', 'refunded', 'unknown', 'retrying')
        AND access_month IS NOT NULL
),

-- Periods that began in the month in which they ended, after an earlier period that ran as the month began.
continued AS (
    SELECT DISTINCT placed.purchase_id
    FROM placed
    JOIN model_periods AS earlier
        ON earlier.original_id = placed.original_id
        AND earlier.app_id = placed.app_id
        AND earlier.kind <> 'trial'
        AND earlier.start_month < placed.access_month
        AND earlier.access_month = placed.access_month
    WHERE placed.place = 1
        AND placed.start_month = placed.access_month
),

ended AS (
    SELECT
        placed.app_id,
        coalesce(placed.product_number, 0) AS product_number,
        placed.access_month AS month_number,
        placed.fate,
        placed.cause,
        CASE
            WHEN placed.place = 1 AND (placed.start_month < placed.access_month OR continued.purchase_id IS NOT NULL) THEN 1
            ELSE 0
        END AS is_old,
        placed.is_won_back
    FROM placed
    LEFT JOIN continued ON continued.purchase_id = placed.purchase_id
),

counted AS (
    SELECT
        app_id,
        product_number,
        month_number,
        CASE WHEN fate IN ('lapsed', 'refunded') AND is_old = 1 THEN 1 ELSE 0 END AS lapsed,
        CASE WHEN fate IN ('lapsed', 'refunded') AND is_old = 0 THEN 1 ELSE 0 END AS lapsed_new,
        CASE WHEN fate = 'unknown' AND is_old = 1 THEN 1 ELSE 0 END AS unknown,
        CASE WHEN fate = 'retrying' AND is_old = 1 THEN 1 ELSE 0 END AS retrying,
        CASE WHEN fate IN ('lapsed', 'refunded') AND is_old = 1 THEN cause END AS cause,
        CASE WHEN fate IN ('lapsed', 'refunded') AND is_old = 1 THEN is_won_back ELSE 0 END AS won_back,
        0 AS due,
        0 AS due_unknown,
        0 AS due_retrying,
        0 AS renewed,
        0 AS recovered
    FROM ended
    UNION ALL
    SELECT
        app_id,
        coalesce(product_number, 0),
        expires_month,
        0,
        0,
        0,
        0,
        NULL,
        0,
        CASE WHEN fate IN ('renewed', 'recovered', 'lapsed') THEN 1 ELSE 0 END,
        CASE WHEN fate = 'unknown' THEN 1 ELSE 0 END,
        CASE WHEN fate = 'retrying' THEN 1 ELSE 0 END,
        CASE WHEN fate = 'renewed' THEN 1 ELSE 0 END,
        CASE WHEN fate = 'recovered' THEN 1 ELSE 0 END
    FROM model_periods
    WHERE kind = 'paid'
        AND fate IN ('renewed', 'recovered', 'lapsed', 'unknown', 'retrying')
        AND expires_month IS NOT NULL
)

SELECT
    app_id,
    product_number,
    month_number,
    sum(lapsed) AS lapsed,
    sum(lapsed_new) AS lapsed_new,
    sum(unknown) AS unknown,
    sum(retrying) AS retrying,
    sum(CASE WHEN cause = 'voluntary' THEN 1 ELSE 0 END) AS voluntary,
    sum(CASE WHEN cause = 'billing' THEN 1 ELSE 0 END) AS billing,
    sum(CASE WHEN cause = 'price_increase' THEN 1 ELSE 0 END) AS price_increase,
    sum(CASE WHEN cause = 'product_gone' THEN 1 ELSE 0 END) AS product_gone,
    sum(CASE WHEN cause = 'refund' THEN 1 ELSE 0 END) AS refund,
    sum(CASE WHEN cause = 'cause_unknown' THEN 1 ELSE 0 END) AS cause_unknown,
    sum(won_back) AS won_back,
    sum(due) AS due,
    sum(due_unknown) AS due_unknown,
    sum(due_retrying) AS due_retrying,
    sum(renewed) AS renewed,
    sum(recovered) AS recovered,
    count(*) AS entries
FROM counted
GROUP BY app_id, product_number, month_number
