-- Subscriptions that run at the last second of a month, by state, as changes from month to month: the running sum of
-- the changes is the number at each month's end. A state that still lasts at the app's newest document has no change
-- that ends it.
--
-- Grain: one row per app, product, month and state
-- Key: app_id, product_number, month_number, state
-- Sums: entries
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id          INTEGER!  –              app and environment, by the loader's number
--   product_number  INTEGER!  –              product, by the loader's number; 0 if none is stated
--   month_number    INTEGER!  –              number of the month whose end is compared with the end of the month before
--   state           TEXT!     –              active (paid, or free after a payment; grace included), trial, retrying,
--                                            or unknown; of the active, grace (past their planned end), and what their
--                                            newest renewal info states: set_to_renew, set_to_end or billing_issue
--   change          INTEGER!  subscriptions  change of the number of subscriptions in this state since the month before
--   entries         INTEGER!  changes        number of changes that this row sums up
-- What renewal infos state about periods, while the periods run. Within a commitment, documents state that renewal is
-- on even if the customer canceled, so what they state about the next commitment counts instead. It counts until the
-- next payment, because each payment is a period.
WITH told AS (
    SELECT
        period.app_id, coalesce(period.product_number, 0) AS product_number, period.access_month,
        state.is_in_billing_retry,
        CASE
            WHEN coalesce(period.billing_plan, '') <> 'MONTHLY' THEN state.auto_renew_status
            WHEN period.payments_left = 0 THEN coalesce(state.commitment_status, state.auto_renew_status)
            ELSE state.commitment_status
        END AS will_renew,
        CASE WHEN state.since_ms < period.start_ms THEN period.start_ms ELSE state.since_ms END AS since_ms,
        CASE WHEN state.until_ms < period.access_ms THEN state.until_ms END AS until_ms
    FROM model_periods AS period
    JOIN model_renewal_states AS state
        ON state.original_id = period.original_id
        AND state.app_id = period.app_id
        AND state.start_ms = period.start_ms
        AND state.since_ms < period.access_ms
    WHERE period.kind <> 'trial'
),

spans AS (
    SELECT
        app_id,
        coalesce(product_number, 0) AS product_number,
        CASE WHEN kind = 'trial' THEN 'trial' ELSE 'active' END AS state,
        start_month AS first_month,
        coalesce(access_month, 999999) AS past_month
    FROM model_periods
    UNION ALL
    SELECT app_id, coalesce(product_number, 0), 'grace', expires_month, access_month
    FROM model_periods
    WHERE kind <> 'trial'
        AND access_ms > expires_ms
    UNION ALL
    -- Billing retry of payments that succeeded later or are still retried.
    SELECT
        period.app_id,
        coalesce(period.product_number, 0),
        'retrying',
        period.access_month,
        CASE
            WHEN period.fate = 'retrying' THEN 999999
            WHEN period.next_start_ms < day.midnight_ms THEN day.earlier_month
            ELSE day.later_month
        END
    FROM model_periods AS period
    LEFT JOIN model_utc_days AS day
        ON day.utc_day = CAST((period.next_start_ms - period.next_start_ms % 86400000) / 86400000 AS BIGINT)
    WHERE period.kind <> 'trial'
        AND period.fate IN ('recovered', 'retrying')
    UNION ALL
    SELECT app_id, coalesce(product_number, 0), 'unknown', access_month, 999999
    FROM model_periods
    WHERE kind <> 'trial'
        AND fate = 'unknown'
    UNION ALL
    SELECT
        told.app_id, told.product_number,
        CASE
            WHEN told.is_in_billing_retry = 1 THEN 'billing_issue'
            WHEN told.will_renew = 1 THEN 'set_to_renew'
            WHEN told.will_renew = 0 THEN 'set_to_end'
        END,
        CASE WHEN told.since_ms < first_day.midnight_ms THEN first_day.earlier_month ELSE first_day.later_month END,
        CASE
            WHEN told.until_ms IS NULL THEN coalesce(told.access_month, 999999)
            WHEN told.until_ms < last_day.midnight_ms THEN last_day.earlier_month
            ELSE last_day.later_month
        END
    FROM told
    JOIN model_utc_days AS first_day
        ON first_day.utc_day = CAST((told.since_ms - told.since_ms % 86400000) / 86400000 AS BIGINT)
    LEFT JOIN model_utc_days AS last_day
        ON last_day.utc_day = CAST((told.until_ms - told.until_ms % 86400000) / 86400000 AS BIGINT)
    WHERE told.is_in_billing_retry = 1
        OR told.will_renew IN (0, 1)
),

changes AS (
    SELECT app_id, product_number, first_month AS month_number, state, 1 AS change
    FROM spans
    WHERE first_month < past_month
    UNION ALL
    SELECT app_id, product_number, past_month, state, -1
    FROM spans
    WHERE first_month < past_month
        AND past_month < 999999
)

SELECT app_id, product_number, month_number, state, sum(change) AS change, count(*) AS entries
FROM changes
GROUP BY app_id, product_number, month_number, state
