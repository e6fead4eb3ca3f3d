-- Subscriptions by the month of their first trial and of their first payment.
--
-- One row per app, product, month, and way in which the subscription began.
--
-- Columns:
--   app_id          –              –  app and environment, by the loader's number
--   product_number  –              –  product, by the loader's number; 0 if none is stated
--   month_number    –              –  number of the month in which the trial or paid period began
--   way             –              –  trial: the first trial began; from_trial: first payment, after a trial;
--                                     from_offer: first payment, at an offer; direct: first payment, at full price
--   subscriptions   subscriptions  –  number of subscriptions that began in this way in the month
CREATE VIEW internal_new_subscriptions AS
WITH begun AS (
    SELECT app_id, coalesce(trial_product, 0) AS product_number, trial_month AS month_number, 'trial' AS way
    FROM model_subscriptions
    WHERE trial_month IS NOT NULL
    UNION ALL
    SELECT
        app_id,
        coalesce(product_number, 0),
        paid_month,
        CASE WHEN trial_start_ms IS NOT NULL THEN 'from_trial' WHEN paid_offer <> 'full' THEN 'from_offer' ELSE 'direct' END
    FROM model_subscriptions
    WHERE paid_month IS NOT NULL
)

SELECT app_id, product_number, month_number, way, count(*) AS subscriptions
FROM begun
GROUP BY app_id, product_number, month_number, way;
