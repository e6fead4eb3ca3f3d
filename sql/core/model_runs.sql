-- Whether a period cost anything, and whether anything was paid before it.
--
-- Grain: one row per period
-- Key: purchase_id
--
-- Columns:
--   purchase_id   INTEGER  –       the period's transaction, by the loader's number
--   is_free       INTEGER  0 or 1  1: it cost nothing
--   has_paid      INTEGER  0 or 1  1: this period or one before it was paid for
WITH periods AS (
    SELECT
        sale.purchase_id,
        sale.app_id,
        sale.original_id,
        sale.start_ms,
        sale.expires_ms,
        CASE WHEN sale.price_milliunits = 0 OR (sale.price_milliunits IS NULL AND sale.is_trial = 1) THEN 1 ELSE 0 END
            AS is_free
    FROM model_sales AS sale
    WHERE sale.is_period = 1
        AND sale.is_shared = 0
)

SELECT
    purchase_id,
    is_free,
    max(1 - is_free) OVER subscription AS has_paid
FROM periods
WINDOW subscription AS (
    PARTITION BY original_id, app_id ORDER BY start_ms, expires_ms, purchase_id
    ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
)
