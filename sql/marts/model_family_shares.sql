-- What families and groups share: members' shares of each product, what became of them, and who bought the product.
--
-- A share is an original transaction that members hold, however many periods. A member is known by the app transaction,
-- which is one for an Apple Account, and by who presented the share; bought later means a purchase of any product of the
-- app that was not free, made after the share began, by the same app transaction or presented by the same user.
--
-- Grain: one row per app and product that a member's share names
-- Key: app_id, product_number
-- Reference: app_id = model_apps(app_id)
--
-- Columns:
--   app_id              INTEGER!  –             app and environment, by the loader's number
--   product_number      INTEGER!  –             product, by the loader's number; 0 where none is stated
--   buyers              INTEGER!  customers     customers who bought the product, free trials included
--   sharing_buyers      INTEGER!  customers     of these, those of whose purchases a share names the original
--                                               transaction
--   shares              INTEGER!  shares        members' shares
--   periods             INTEGER!  transactions  transactions of these
--   revoked_shares      INTEGER!  shares        of the shares, those a transaction of which was canceled, for whatever
--                                               reason
--   family_revoked      INTEGER!  shares        of these, those told to be withdrawn
--   expired_shares      INTEGER!  shares        of the shares not revoked, those whose last period was over at the
--                                               horizon
--   members_who_bought  INTEGER!  shares        of the shares, those whose member bought later
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

-- A member is known by two names. Who presented the share:
presenters AS (
    SELECT DISTINCT user_id, purchase_id
    FROM model_entitlement_spans
    WHERE purchase_id IN (SELECT purchase_id FROM shared)
        AND user_id > 0
),

user_purchases AS (
    SELECT span.user_id, sale.app_id, max(sale.start_ms) AS last_ms
    FROM (SELECT DISTINCT user_id FROM presenters) AS named
    JOIN model_entitlement_spans AS span ON span.user_id = named.user_id
    JOIN model_sales AS sale ON sale.purchase_id = span.purchase_id
    WHERE sale.is_shared = 0
        AND sale.is_paid = 1
    GROUP BY span.user_id, sale.app_id
),

-- And the app transaction:
account_purchases AS (
    SELECT terms.app_transaction_id, sale.app_id, max(sale.start_ms) AS last_ms
    FROM model_terms AS terms
    JOIN model_sales AS sale ON sale.purchase_id = terms.purchase_id
    WHERE terms.app_transaction_id IN (SELECT app_transaction_id FROM shared)
        AND sale.is_shared = 0
        AND sale.is_paid = 1
    GROUP BY terms.app_transaction_id, sale.app_id
),

-- Each join adds to the shares before it, so that no purchase meets all of them.
bought AS (
    SELECT
        shared.app_id,
        shared.product_number,
        shared.original_id,
        max(user_purchases.last_ms) AS user_last_ms,
        max(account_purchases.last_ms) AS account_last_ms
    FROM shared
    LEFT JOIN presenters ON presenters.purchase_id = shared.purchase_id
    LEFT JOIN user_purchases
        ON user_purchases.user_id = presenters.user_id
        AND user_purchases.app_id = shared.app_id
    LEFT JOIN account_purchases
        ON account_purchases.app_transaction_id = shared.app_transaction_id
        AND account_purchases.app_id = shared.app_id
    GROUP BY shared.original_id, shared.app_id, shared.product_number
),

counted AS (
    SELECT
        shares.app_id,
        shares.product_number,
        count(*) AS shares,
        sum(shares.periods) AS periods,
        sum(shares.is_revoked) AS revoked_shares,
        sum(shares.is_withdrawn) AS family_revoked,
        sum(CASE WHEN shares.is_revoked = 0 AND shares.expires_ms <= app.horizon_ms THEN 1 ELSE 0 END) AS expired_shares,
        sum(CASE WHEN bought.user_last_ms > shares.start_ms OR bought.account_last_ms > shares.start_ms THEN 1 ELSE 0 END)
            AS members_who_bought
    FROM shares
    LEFT JOIN model_apps AS app ON app.app_id = shares.app_id
    LEFT JOIN bought
        ON bought.original_id = shares.original_id
        AND bought.app_id = shares.app_id
        AND bought.product_number = shares.product_number
    GROUP BY shares.app_id, shares.product_number
),

sold AS (
    SELECT DISTINCT sale.app_id, coalesce(sale.product_number, 0) AS product_number, sale.customer_id
    FROM model_sales AS sale
    WHERE sale.is_shared = 0
        AND sale.app_id IN (SELECT app_id FROM shared)
        AND coalesce(sale.product_number, 0) IN (SELECT product_number FROM shared)
),

sharing AS (
    SELECT DISTINCT sale.app_id, coalesce(sale.product_number, 0) AS product_number, sale.customer_id
    FROM model_sales AS sale
    WHERE sale.is_shared = 0
        AND sale.original_id IN (SELECT original_id FROM shared)
),

buyers AS (
    SELECT sold.app_id, sold.product_number, count(*) AS buyers, count(sharing.customer_id) AS sharing_buyers
    FROM sold
    LEFT JOIN sharing
        ON sharing.customer_id = sold.customer_id
        AND sharing.app_id = sold.app_id
        AND sharing.product_number = sold.product_number
    GROUP BY sold.app_id, sold.product_number
)

SELECT
    counted.app_id,
    counted.product_number,
    coalesce(buyers.buyers, 0) AS buyers,
    coalesce(buyers.sharing_buyers, 0) AS sharing_buyers,
    counted.shares,
    counted.periods,
    counted.revoked_shares,
    counted.family_revoked,
    counted.expired_shares,
    counted.members_who_bought
FROM counted
LEFT JOIN buyers ON buyers.app_id = counted.app_id AND buyers.product_number = counted.product_number
