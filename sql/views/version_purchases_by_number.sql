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
    nullif(dated % 1099511627776, 0) AS app_version_id,
    nullif(dated / 1099511627776, 0) - 1000000 AS purchase_day,
    purchases,
    refunds
FROM (
    SELECT app_number, dated, count(*) AS purchases, sum(is_refund) AS refunds
    FROM (
        SELECT
            state.app_number,
            -- As in purchases_by_number, the day and the version in one number.
            coalesce((state.sold_ms + (SELECT ms FROM zone_offset)) / 86400000 + 1000000, 0) * 1099511627776
                + coalesce(receipt.app_version_id, 0) AS dated,
            state.is_refund
        FROM purchase_states AS state
        CROSS JOIN receipt ON receipt.receipt_id = state.receipt_number
        WHERE state.is_trial_period = 0
            AND state.is_restored = 0
            AND state.is_family = 0
        LIMIT -1
    ) AS told
    GROUP BY dated, app_number
) AS counted;
