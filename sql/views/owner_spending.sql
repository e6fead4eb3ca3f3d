-- One row per owner of an app in an environment who has a purchase: the best of
-- them (3 bought, 2 a free trial alone, 1 canceled all) and the day of the first
-- that was bought. Owners as in app_owners; absent environment and bundle are
-- (none), so that they can be joined.
--
-- Columns:
--   environment       –                attribute 0  of the owner's receipts; (none) where absent
--   bundle_id         –                attribute 2  of the owner's receipts; (none) where absent
--   owner             –                line         as in app_owners
--   owner_kind        –                –            account or device
--   best              –                –            3 bought, 2 a free trial alone, 1 all canceled
--   first_bought_day  days since 1970  –            day of the first purchase neither canceled nor a trial
CREATE VIEW owner_spending AS
WITH told AS (
    -- What each receipt is worth comes first: it is presented more than once.
    SELECT
        receipt.receipt_id,
        receipt.app_id,
        max(
            CASE
                WHEN purchase.cancellation_date IS NOT NULL THEN 1
                WHEN coalesce(purchase.is_trial_period, 0) <> 0 THEN 2
                ELSE 3
            END
        ) AS best,
        min(
            CASE
                WHEN purchase.cancellation_date IS NULL AND coalesce(purchase.is_trial_period, 0) = 0
                    THEN purchase.purchase_date
            END
        ) AS first_bought_at
    FROM receipt
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = receipt.receipt_id
    CROSS JOIN purchase
        ON purchase.app_id = receipt.app_id
        AND purchase.transaction_id = receipt_purchase.transaction_id
    WHERE receipt.verdict = 'trusted'
    GROUP BY receipt.receipt_id
)

SELECT
    coalesce(nullif(app.environment, ''), '(none)') AS environment,
    coalesce(nullif(app.bundle_id, ''), '(none)') AS bundle_id,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    max(told.best) AS best,
    min(told.first_bought_at) / 86400000 AS first_bought_day
FROM told
CROSS JOIN submission ON submission.receipt_id = told.receipt_id
CROSS JOIN app ON app.app_id = told.app_id
WHERE submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
-- The keys that differ most come first, which makes the sort cheaper.
GROUP BY owner, owner_kind, app.bundle_id, app.environment;
