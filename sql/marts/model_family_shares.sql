-- What families and groups share: members' shares of each product, what became of them, and who bought the product.
--
-- A share is an original transaction that members hold, however many periods. A member is known by the app transaction,
-- which is one for an Apple Account, and by who presented the share; bought later means a purchase of any product of the
-- app that was not free, made after the share began, by the same app transaction or presented by the same user.
--
-- Grain: one row per app and product that a member's share names
-- Key: app_id, product_number
--
-- Columns:
--   app_id              INTEGER  –             app and environment, by the loader's number
--   product_number      INTEGER  –             product, by the loader's number; 0 where none is stated
--   buyers              INTEGER  customers     customers who bought the product, free trials included
--   sharing_buyers      INTEGER  customers     of these, those of whose purchases a share names the original transaction
--   shares              INTEGER  shares        members' shares
--   periods             INTEGER  transactions  transactions of these
--   revoked_shares      INTEGER  shares        of the shares, those a transaction of which was canceled, for whatever reason
--   family_revoked      INTEGER  shares        of these, those told to be of type FAMILY_REVOKE or ASSIGNMENT_REVOKE
--   expired_shares      INTEGER  shares        of the shares not revoked, those whose last period was over at the horizon
--   members_who_bought  INTEGER  shares        of the shares, those whose member bought later
WITH shared AS (
    SELECT
        app_id,
        coalesce(product_number, 0) AS product_number,
        original_id,
        purchase_id,
        start_ms,
        expires_ms,
        app_transaction_id,
        CASE WHEN canceled_ms IS NOT NULL THEN 1 ELSE 0 END AS is_revoked,
        CASE WHEN canceled_ms IS NOT NULL AND revocation_type IN ('FAMILY_REVOKE', 'ASSIGNMENT_REVOKE') THEN 1 ELSE 0 END
            AS is_withdrawn
    FROM model_sales
    WHERE is_shared = 1
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

-- By each of the names that a member is known by.
members AS (
    SELECT DISTINCT shared.app_id, shared.product_number, shared.original_id, span.user_id, shared.app_transaction_id
    FROM shared
    LEFT JOIN model_entitlement_spans AS span ON span.purchase_id = shared.purchase_id
),

bought AS (
    SELECT span.user_id, NULL AS app_transaction_id, sale.app_id, max(sale.start_ms) AS last_ms
    FROM (SELECT DISTINCT user_id FROM members WHERE user_id > 0) AS named
    JOIN model_entitlement_spans AS span ON span.user_id = named.user_id
    JOIN model_sales AS sale ON sale.purchase_id = span.purchase_id
    WHERE sale.is_shared = 0
        AND (sale.price_milliunits > 0 OR (sale.price_milliunits IS NULL AND sale.is_trial = 0))
    GROUP BY span.user_id, sale.app_id
    UNION ALL
    SELECT NULL, sale.app_transaction_id, sale.app_id, max(sale.start_ms)
    FROM model_sales AS sale
    WHERE sale.is_shared = 0
        AND sale.app_transaction_id IN (SELECT app_transaction_id FROM shared)
        AND (sale.price_milliunits > 0 OR (sale.price_milliunits IS NULL AND sale.is_trial = 0))
    GROUP BY sale.app_transaction_id, sale.app_id
),

bought_later AS (
    SELECT shares.app_id, shares.product_number, shares.original_id
    FROM shares
    JOIN members
        ON members.original_id = shares.original_id
        AND members.app_id = shares.app_id
        AND members.product_number = shares.product_number
    JOIN bought ON bought.user_id = members.user_id AND bought.app_id = members.app_id
    WHERE bought.last_ms > shares.start_ms
    UNION
    SELECT shares.app_id, shares.product_number, shares.original_id
    FROM shares
    JOIN members
        ON members.original_id = shares.original_id
        AND members.app_id = shares.app_id
        AND members.product_number = shares.product_number
    JOIN bought ON bought.app_transaction_id = members.app_transaction_id AND bought.app_id = members.app_id
    WHERE bought.last_ms > shares.start_ms
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
        sum(CASE WHEN bought_later.app_id IS NOT NULL THEN 1 ELSE 0 END) AS members_who_bought
    FROM shares
    LEFT JOIN model_apps AS app ON app.app_id = shares.app_id
    LEFT JOIN bought_later
        ON bought_later.original_id = shares.original_id
        AND bought_later.app_id = shares.app_id
        AND bought_later.product_number = shares.product_number
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
