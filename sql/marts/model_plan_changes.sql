-- Changes of a subscription's product, of its billing plan, or of its original transaction, by the day of the change.
--
-- Grain: one row per app, day, products, direction and currency
-- Key: app_id, day_number, from_product_number, product_number, direction, currency
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id               INTEGER!  –           app and environment, by the loader's number
--   day_number           INTEGER!  –           number of the local day on which the new period starts
--   from_product_number  INTEGER!  –           product before the change, by the loader's number; 0 if none is stated
--   product_number       INTEGER!  –           product after the change, by the loader's number; 0 if none is stated
--   direction            TEXT!     –           upgrade (a higher price a month), downgrade (a lower one), crossgrade
--                                              (the same), or untold (no price, or two currencies); upgrade also if
--                                              Apple states one and prices don't decide
--   currency             TEXT!     –           currency of the credit; (none) if no price is known
--   changes              INTEGER!  changes     number of changes of product, billing plan or original transaction
--   at_once              INTEGER!  changes     of the changes, those that cut a period short
--   from_trial           INTEGER!  changes     of the changes, those during a free trial
--   credit_milliunits    INTEGER!  milliunits  estimated credit for the unused rest of the periods
WITH changed AS (
    SELECT
        later.app_id, later.start_day AS day_number,
        coalesce(period.product_number, 0) AS from_product_number,
        coalesce(later.product_number, 0) AS product_number,
        CASE
            WHEN period.month_milliunits IS NULL OR later.month_milliunits IS NULL OR period.currency <> later.currency
                THEN CASE WHEN terms.is_upgraded = 1 THEN 'upgrade' ELSE 'untold' END
            WHEN later.month_milliunits > period.month_milliunits THEN 'upgrade'
            WHEN later.month_milliunits < period.month_milliunits THEN 'downgrade'
            ELSE 'crossgrade'
        END AS direction,
        coalesce(period.currency, '(none)') AS currency,
        CASE WHEN period.followed_by = 'change' AND later.start_ms < period.expires_ms - 3600000 THEN 1 ELSE 0 END AS is_at_once,
        CASE WHEN period.kind = 'trial' THEN 1 ELSE 0 END AS is_from_trial,
        coalesce(sale.change_credit_milliunits, 0) AS credit_milliunits
    FROM model_periods AS period
    JOIN model_periods AS later
        ON later.original_id = period.original_id
        AND later.app_id = period.app_id
        AND later.start_ms = period.next_start_ms
        AND later.purchase_id = period.next_purchase_id
    JOIN model_sales AS sale ON sale.purchase_id = period.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = period.purchase_id
    WHERE period.followed_by IN ('change', 'renewal', 'recovery')
        AND period.is_next_alike = 0
        AND period.product_number IS NOT NULL
        AND later.product_number IS NOT NULL
        AND later.start_day IS NOT NULL
)

SELECT
    app_id, day_number, from_product_number, product_number, direction, currency,
    count(*) AS changes,
    sum(is_at_once) AS at_once,
    sum(is_from_trial) AS from_trial,
    sum(credit_milliunits) AS credit_milliunits
FROM changed
GROUP BY app_id, day_number, from_product_number, product_number, direction, currency
