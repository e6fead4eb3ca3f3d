-- refunds: Refunds by product and month
-- Which products are refunded, how often, and when?
--
-- Grain: one row per environment, bundle_id, product_id, month
--
-- Parameters:
--   :environment  text  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       text  all                       bundle identifier of the app; or all
--   :from         date  2008-07-10                first day that counts, of purchases and of cancellations
--   :until        date  9999-12-31                last day that counts
--
-- Columns:
--   environment        text     environment of the purchases
--   bundle_id          text     bundle identifier of the app
--   product_id         text     product bought
--   month              month    month of the purchases, and of canceled_in_month, in UTC
--   purchases          integer  transactions bought in the month, free trials included
--   free_trials        integer  of these, free trials, which nobody paid for
--   cancellations      integer  of these purchases, those canceled since, in whatever month
--   cancellation_rate  share    cancellations per purchase; null where the month has no purchase
--   canceled_in_month  integer  cancellations dated in the month, whenever the purchase was
--
-- Notes:
--   Every rate is a lower bound. A receipt shows a refund only if it was
--   refreshed afterwards, so recent months look better than they will turn out.
--   The rate follows the purchases of a month to their end: its numerator is part
--   of its denominator. To set refunds against the month in which the money went
--   back, read canceled_in_month.
--   A cancellation is a refund, a revoked family share or, in older data, an
--   upgrade within a subscription; receipts don't tell them apart.
--   A transaction counts once, however many receipts show it. Purchases without
--   a purchase date are left out.
--
-- Example:
--   receiptmill report refunds --database mill.sqlite --param from=2024-01-01

WITH counted AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        CASE
            WHEN substr(purchase_date, 1, 10)
                BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
                THEN substr(purchase_date, 1, 7)
        END AS purchase_month,
        CASE
            WHEN substr(cancellation_date, 1, 10)
                BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
                THEN substr(cancellation_date, 1, 7)
        END AS cancellation_month,
        count(*) AS purchases,
        coalesce(sum(is_trial_period), 0) AS free_trials,
        count(cancellation_date) AS cancellations
    FROM purchases
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY purchase_month, product_id, bundle_id, environment, cancellation_month
),

by_month AS (
    SELECT
        environment,
        bundle_id,
        product_id,
        purchase_month AS month,
        purchases,
        free_trials,
        cancellations,
        0 AS canceled_in_month
    FROM counted
    WHERE purchase_month IS NOT NULL
    UNION ALL
    SELECT
        environment,
        bundle_id,
        product_id,
        cancellation_month AS month,
        0 AS purchases,
        0 AS free_trials,
        0 AS cancellations,
        cancellations AS canceled_in_month
    FROM counted
    WHERE cancellation_month IS NOT NULL
)

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    coalesce(product_id, '(none)') AS product_id,
    month,
    sum(purchases) AS purchases,
    sum(free_trials) AS free_trials,
    sum(cancellations) AS cancellations,
    round(1.0 * sum(cancellations) / nullif(sum(purchases), 0), 4) AS cancellation_rate,
    sum(canceled_in_month) AS canceled_in_month
FROM by_month
GROUP BY 1, 2, 3, 4
ORDER BY 1, 2, 3, 4;
