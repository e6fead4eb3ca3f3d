-- Members' shares: whether they were revoked or withdrawn, and whether the member bought later.
--
-- A share is an original transaction that members hold, with any number of periods. A member is identified by the app
-- transaction, of which each Apple Account has one, and by the user who presented the share. Bought later means: after
-- the share began, the same app transaction or the same user has a purchase of any product of the app that was not
-- free.
--
-- Grain: one row per app, original transaction that members hold, and product
-- Key: original_id, app_id, product_number
-- Slice: original_id, app_id
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id             INTEGER!  –             app and environment, by the loader's number
--   original_id        ANY!      –             identifier of the original transaction
--   product_number     INTEGER!  –             product, by the loader's number; 0 if none is stated
--   expires_ms         INTEGER   ms            planned end of the share's last period
--   periods            INTEGER!  transactions  number of the share's transactions
--   is_revoked         INTEGER!  0 or 1        1: one of the share's transactions was canceled, for whatever reason
--   is_withdrawn       INTEGER!  0 or 1        1: one of the share's transactions is stated to be withdrawn
--   has_bought         INTEGER!  0 or 1        1: the member bought something after the share began
WITH shared AS (
    SELECT
        sale.app_id,
        coalesce(sale.product_number, 0) AS product_number,
        sale.original_id,
        sale.purchase_id,
        sale.start_ms,
        sale.expires_ms,
        terms.app_transaction_id,
        CASE WHEN sale.canceled_ms IS NOT NULL THEN 1 ELSE 0 END AS is_revoked,
        CASE WHEN sale.canceled_ms IS NOT NULL THEN sale.is_withdrawn ELSE 0 END AS is_withdrawn
    FROM model_sales AS sale
    JOIN model_terms AS terms ON terms.purchase_id = sale.purchase_id
    WHERE sale.is_shared = 1
),

shares AS (
    SELECT
        app_id,
        product_number,
        original_id,
        min(start_ms) AS start_ms,
        max(expires_ms) AS expires_ms,
        count(*) AS periods,
        max(is_revoked) AS is_revoked,
        max(is_withdrawn) AS is_withdrawn
    FROM shared
    GROUP BY original_id, app_id, product_number
),

-- Members are identified in two ways. First, by the user who presented the share:
presenters AS (
    SELECT user_id, purchase_id
    FROM model_entitlements
    WHERE purchase_id IN (SELECT purchase_id FROM shared)
        AND user_id > 0
),

user_purchases AS (
    SELECT entitlement.user_id, sale.app_id, max(sale.start_ms) AS last_ms
    FROM (SELECT DISTINCT user_id FROM presenters) AS named
    JOIN model_entitlements AS entitlement ON entitlement.user_id = named.user_id
    JOIN model_sales AS sale ON sale.purchase_id = entitlement.purchase_id
    WHERE sale.is_shared = 0
        AND sale.is_paid = 1
    GROUP BY entitlement.user_id, sale.app_id
),

-- Second, by the app transaction:
account_purchases AS (
    SELECT terms.app_transaction_id, sale.app_id, max(sale.start_ms) AS last_ms
    FROM model_terms AS terms
    JOIN model_sales AS sale ON sale.purchase_id = terms.purchase_id
    WHERE terms.app_transaction_id IN (SELECT app_transaction_id FROM shared)
        AND sale.is_shared = 0
        AND sale.is_paid = 1
    GROUP BY terms.app_transaction_id, sale.app_id
),

-- Each join extends the shares, so that no purchase is compared with all of them. The model's own key finds the
-- presenters of a share; with the table presenters, SQLite would scan all of it for each share.
bought AS (
    SELECT
        shared.app_id,
        shared.product_number,
        shared.original_id,
        max(user_purchases.last_ms) AS user_last_ms,
        max(account_purchases.last_ms) AS account_last_ms
    FROM shared
    LEFT JOIN model_entitlements AS presenter
        ON presenter.purchase_id = shared.purchase_id
        AND presenter.user_id > 0
    LEFT JOIN user_purchases
        ON user_purchases.user_id = presenter.user_id
        AND user_purchases.app_id = shared.app_id
    LEFT JOIN account_purchases
        ON account_purchases.app_transaction_id = shared.app_transaction_id
        AND account_purchases.app_id = shared.app_id
    GROUP BY shared.original_id, shared.app_id, shared.product_number
)

SELECT
    shares.app_id,
    shares.original_id,
    shares.product_number,
    shares.expires_ms,
    shares.periods,
    shares.is_revoked,
    shares.is_withdrawn,
    CASE WHEN bought.user_last_ms > shares.start_ms OR bought.account_last_ms > shares.start_ms THEN 1 ELSE 0 END AS has_bought
FROM shares
LEFT JOIN bought
    ON bought.original_id = shares.original_id
    AND bought.app_id = shares.app_id
    AND bought.product_number = shares.product_number
