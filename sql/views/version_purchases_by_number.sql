-- The rows of version_purchases by number, without names.
--
-- Columns:
--   app_number      –                –               the app's number in this database alone
--   app_version_id  –                –               the version's number in this database alone
--   purchase_day    days since 1970  attribute 1704  day of the purchase
--   purchases       –                –               transactions
--   refunds         –                –               as in version_purchases
CREATE VIEW version_purchases_by_number AS
SELECT
    app_number,
    app_version_id,
    purchase_day,
    count(*) AS purchases,
    sum(is_refund) AS refunds
FROM (
    SELECT
        state.app_number,
        receipt.app_version_id,
        CASE WHEN state.sold_ms < sold.midnight_ms THEN sold.earlier_day ELSE sold.later_day END AS purchase_day,
        state.is_refund
    FROM purchase_states AS state
    CROSS JOIN receipt ON receipt.receipt_id = state.receipt_number
    LEFT JOIN model_utc_days AS sold ON sold.utc_day = state.sold_ms / 86400000
    WHERE state.is_trial_period = 0
        AND state.is_restored = 0
        AND state.is_family = 0
    -- The limit makes a row of what is sorted: without it, all that the days are worked out of is sorted along.
    LIMIT -1
) AS dated
GROUP BY purchase_day, app_version_id, app_number;
