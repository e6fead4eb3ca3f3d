-- Monthly prices of periods whose price changes while they run, because seats were added or refunded, or an item of the
-- Advanced Commerce API was revoked. For all other periods, model_periods has the price.
--
-- Added seats may have been charged only for the rest of the period. If a later renewal info states the same number of
-- seats for the next period, its price holds from the addition on; else the amount charged is added to the price.
--
-- Grain: one row per paid period whose price changes, and moment from which a price holds
-- Key: purchase_id, from_ms
-- Slice: purchase_id
-- Reference: purchase_id = model_sales(purchase_id)
--
-- Columns:
--   purchase_id  INTEGER!  –           the period's transaction, by the loader's number
--   from_ms      INTEGER!  ms          first moment at which the price holds
--   first_month  INTEGER   –           number of the month of from_ms
--   last_month   INTEGER   –           number of the last month at whose last second the price holds
--   milliunits   INTEGER   milliunits  price of the period per month, from from_ms on
WITH changes AS (
    SELECT
        addition.head_id AS purchase_id, addition.start_ms AS from_ms, sale.price_milliunits AS change,
        sale.quantity AS seats, 1 AS is_addition
    FROM model_additions AS addition
    JOIN model_sales AS sale ON sale.purchase_id = addition.purchase_id
    UNION ALL
    SELECT coalesce(addition.head_id, refund.purchase_id), refund.refund_ms, -refund.milliunits, -coalesce(part.seats, 0), 0
    FROM model_refund_events AS refund
    LEFT JOIN model_additions AS addition ON addition.purchase_id = refund.purchase_id
    JOIN model_divided_sales AS divided
        ON divided.purchase_id = coalesce(addition.head_id, refund.purchase_id)
        AND divided.has_items = 0
    LEFT JOIN model_partial_refunds AS part
        ON part.purchase_id = refund.purchase_id
        AND part.refund_ms = refund.refund_ms
        AND refund.is_estimate = 1
    UNION ALL
    SELECT document.purchase_id, item.revoked_date, -coalesce(item.offer_price_milliunits, item.price_milliunits), 0, 0
    FROM model_commerce_documents AS document
    JOIN commerce_item AS item ON item.receipt_id = document.receipt_id
    WHERE item.revoked_date IS NOT NULL
),

placed AS (
    SELECT
        period.purchase_id,
        CASE WHEN changes.from_ms < period.start_ms THEN period.start_ms ELSE changes.from_ms END AS from_ms,
        changes.change, changes.seats, changes.is_addition
    FROM changes
    JOIN model_sales AS sale ON sale.purchase_id = changes.purchase_id
    JOIN model_periods AS period
        ON period.original_id = sale.original_id
        AND period.app_id = sale.app_id
        AND period.start_ms = sale.start_ms
        AND period.expires_ms = sale.expires_ms
        AND period.purchase_id = sale.purchase_id
    WHERE period.kind = 'paid'
        AND changes.from_ms < period.access_ms
    UNION ALL
    SELECT sale.purchase_id, sale.start_ms, sale.price_milliunits, sale.quantity, 0
    FROM (SELECT DISTINCT purchase_id FROM changes) AS changed
    JOIN model_sales AS sale ON sale.purchase_id = changed.purchase_id
),

steps AS (
    SELECT
        purchase_id, from_ms,
        max(is_addition) AS is_addition,
        sum(sum(change)) OVER so_far AS milliunits,
        sum(sum(seats)) OVER so_far AS seats
    FROM placed
    GROUP BY purchase_id, from_ms
    WINDOW so_far AS (PARTITION BY purchase_id ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
),

-- The newest renewal info that states a number of seats counts for each step with that number, unless it is older than
-- the step. Renewal infos are ranked once for each period: comparing all of them with each step would make the cost
-- quadratic.
ranked AS (
    SELECT
        changed.purchase_id,
        renewal.renewal_quantity AS seats,
        renewal.signed_at AS signed_ms,
        renewal.renewal_amount_milliunits AS milliunits,
        row_number() OVER (
            PARTITION BY changed.purchase_id, renewal.renewal_quantity ORDER BY renewal.signed_at DESC, receipt.sha256 DESC
        ) AS place
    FROM (SELECT purchase_id, min(from_ms) AS from_ms FROM steps WHERE is_addition = 1 GROUP BY purchase_id) AS changed
    JOIN purchase ON purchase.purchase_id = changed.purchase_id
    JOIN app ON app.app_id = purchase.app_id
    JOIN renewal
        ON renewal.original_transaction_id = coalesce(purchase.original_transaction_id, purchase.transaction_id)
        AND renewal.environment = app.environment
        AND renewal.signed_at BETWEEN changed.from_ms AND purchase.expires_date
    JOIN receipt ON receipt.receipt_id = renewal.receipt_id
    WHERE renewal.renewal_amount_milliunits IS NOT NULL
        AND coalesce(renewal.auto_renew_product_number, purchase.product_number) = purchase.product_number
),

newest AS (
    SELECT purchase_id, seats, signed_ms, milliunits
    FROM ranked
    WHERE place = 1
    -- Each row is its own group. Without the grouping, SQLite expects few rows and makes no automatic index.
    GROUP BY purchase_id, seats, signed_ms, milliunits
),

-- The price that a renewal info states, less the amount charged.
renewed AS (
    SELECT
        steps.purchase_id, steps.from_ms, steps.milliunits, newest.milliunits - steps.milliunits AS more_milliunits
    FROM steps
    LEFT JOIN newest
        ON newest.purchase_id = steps.purchase_id
        AND newest.seats = CASE WHEN steps.is_addition = 1 THEN steps.seats END
        AND newest.signed_ms >= steps.from_ms
),

known AS (
    SELECT
        purchase_id, from_ms, milliunits, more_milliunits,
        max(CASE WHEN more_milliunits IS NOT NULL THEN from_ms END) OVER (
            PARTITION BY purchase_id ORDER BY from_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS renewed_ms
    FROM renewed
),

priced AS (
    SELECT
        known.purchase_id, known.from_ms,
        -- A renewal info's price also holds for later changes of the price; more_milliunits is null in their rows.
        CAST(
            known.milliunits
            + coalesce(max(known.more_milliunits) OVER (PARTITION BY known.purchase_id, known.renewed_ms), 0) AS DOUBLE
        ) AS milliunits,
        CASE WHEN known.from_ms < day.midnight_ms THEN day.earlier_month ELSE day.later_month END AS first_month
    FROM known
    LEFT JOIN model_utc_days AS day ON day.utc_day = CAST((known.from_ms - known.from_ms % 86400000) / 86400000 AS BIGINT)
)

SELECT
    priced.purchase_id, priced.from_ms, priced.first_month,
    coalesce(
        lead(priced.first_month) OVER (PARTITION BY priced.purchase_id ORDER BY priced.from_ms), period.access_month, 999999
    ) - 1 AS last_month,
    -- Divided by the plan's length in months, as in model_periods.
    CAST(floor(CASE
        WHEN priced.milliunits < 0 THEN 0.0
        WHEN period.plan_days = 7 THEN priced.milliunits * 13 / 3.0
        WHEN period.plan_days = 61 THEN priced.milliunits / 2.0
        WHEN period.plan_days = 91 THEN priced.milliunits / 3.0
        WHEN period.plan_days = 182 THEN priced.milliunits / 6.0
        WHEN period.plan_days = 365 THEN priced.milliunits / 12.0
        WHEN period.plan_days IS NOT NULL THEN priced.milliunits
    END + 0.5) AS BIGINT) AS milliunits
FROM priced
JOIN model_sales AS sale ON sale.purchase_id = priced.purchase_id
JOIN model_periods AS period
    ON period.original_id = sale.original_id
    AND period.app_id = sale.app_id
    AND period.start_ms = sale.start_ms
    AND period.expires_ms = sale.expires_ms
    AND period.purchase_id = sale.purchase_id
WHERE period.kind = 'paid'
