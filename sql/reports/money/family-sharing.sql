-- family-sharing: What families share
-- How many family members use a purchase of somebody else, how many shares ended, and who bought themselves afterwards?
--
-- Grain: one row per environment, bundle_id, product_id
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   environment           text     environment of the purchases
--   bundle_id             text     bundle identifier of the app
--   product_id            text     product bought, or shared
--   buyers                integer  customers who bought the product, free trials included
--   sharing_buyers        integer  of these, those of whose purchases a member's share names the original transaction
--   shares                integer  members' shares: original transactions that a member holds, however many periods
--   periods               integer  transactions of these shares
--   revoked_shares        integer  of the shares, those a transaction of which was canceled, for whatever reason
--   family_revoked        integer  of these, those told to be of type FAMILY_REVOKE
--   expired_shares        integer  of the shares not revoked, those whose last period was over at the app's newest
--                                  document
--   active_shares         integer  of the shares, the others
--   members_who_bought    integer  of the shares, those whose member bought something of the app later
--
-- Chart: bars  x=product_id  y=sharing_buyers,active_shares,expired_shares,revoked_shares
--
-- Notes:
--   Only signed data tells a member's share from a purchase: of receipts alone, shares count
--   as purchases. Members' shares bring no money and stand in no other report of it.
--   The store seldom tells whose purchase is shared: a member's share mostly has an original
--   transaction of its own. sharing_buyers counts what is told, and is a lower bound.
--   A member is known by the app transaction, which is one for an Apple Account, and by the
--   accounts and devices that presented the share. An account or device of a whole family
--   makes members of buyers. Bought later means a purchase of any product of the app by the
--   same app transaction or customer, as purchase_customers says, that cost something or
--   whose price nobody knows, made after the share began.
--   A member can hold a share of several products, and then counts in each row. Shares of
--   several members that name one original count as one.
--   expired_shares holds shares that were renewed where nothing made since shows it.
--
-- Example:
--   receiptmill report family-sharing --database mill.sqlite

WITH counted AS (
    SELECT
        environment,
        bundle_id,
        app_number,
        purchase_number,
        product_id,
        transaction_id,
        original_transaction_id,
        app_transaction_id,
        purchase_second,
        expiry_second,
        cancellation_second,
        revocation_type,
        sale
    FROM priced_purchases
    -- Of an app without shares nothing is shown.
    WHERE app_number IN (SELECT app_number FROM family_shares)
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
),

shared AS (
    SELECT
        app_number,
        product_id,
        original_transaction_id,
        min(purchase_second) AS start_second,
        max(expiry_second) AS expiry_second,
        count(*) AS periods,
        max(CASE WHEN cancellation_second IS NOT NULL THEN 1 ELSE 0 END) AS is_revoked,
        max(CASE WHEN cancellation_second IS NOT NULL AND revocation_type = 'FAMILY_REVOKE' THEN 1 ELSE 0 END)
            AS is_family_revoked
    FROM counted
    WHERE sale = 'family'
    GROUP BY original_transaction_id, product_id, app_number
),

presented AS (
    SELECT DISTINCT transaction_id, bundle_id, environment, owner_kind, owner
    FROM owner_purchases
    WHERE coalesce(bundle_id, '') IN (SELECT coalesce(bundle_id, '') FROM counted)
        AND transaction_id IN (SELECT transaction_id FROM counted WHERE sale = 'family')
),

-- By each of the names that a member is known by: the app transaction, and who presented the share.
member AS (
    SELECT app_number, product_id, original_transaction_id, 'app_transaction' AS kind, app_transaction_id AS name
    FROM counted
    WHERE sale = 'family'
        AND app_transaction_id IS NOT NULL
    UNION
    SELECT
        counted.app_number,
        counted.product_id,
        counted.original_transaction_id,
        presented.owner_kind,
        presented.owner
    FROM presented
    JOIN counted
        ON counted.transaction_id = presented.transaction_id
        AND coalesce(counted.bundle_id, '') = coalesce(presented.bundle_id, '')
        AND coalesce(counted.environment, '') = coalesce(presented.environment, '')
    WHERE counted.sale = 'family'
),

sold AS (
    SELECT
        counted.app_number,
        counted.product_id,
        counted.original_transaction_id,
        counted.app_transaction_id,
        counted.purchase_second,
        counted.sale,
        purchase_customers.customer,
        purchase_customers.customer_kind
    FROM counted
    JOIN purchase_customers ON purchase_customers.purchase_number = counted.purchase_number
    WHERE counted.sale <> 'family'
),

bought AS (
    SELECT app_number, customer_kind AS kind, customer AS name, max(purchase_second) AS last_second
    FROM sold
    WHERE sale <> 'free'
        AND customer_kind <> 'app_transaction'
    GROUP BY customer, customer_kind, app_number
    UNION ALL
    SELECT app_number, 'app_transaction', app_transaction_id, max(purchase_second)
    FROM sold
    WHERE sale <> 'free'
        AND app_transaction_id IS NOT NULL
    GROUP BY app_transaction_id, app_number
),

member_bought AS (
    SELECT DISTINCT shared.app_number, shared.product_id, shared.original_transaction_id
    FROM member
    JOIN shared
        ON shared.original_transaction_id = member.original_transaction_id
        AND shared.app_number = member.app_number
        AND coalesce(shared.product_id, '') = coalesce(member.product_id, '')
    JOIN bought
        ON bought.name = member.name
        AND bought.kind = member.kind
        AND bought.app_number = member.app_number
        AND bought.last_second > shared.start_second
),

share_counts AS (
    SELECT
        shared.app_number,
        coalesce(shared.product_id, '(none)') AS product_id,
        0 AS buyers,
        0 AS sharing_buyers,
        count(*) AS shares,
        sum(shared.periods) AS periods,
        sum(shared.is_revoked) AS revoked_shares,
        sum(shared.is_family_revoked) AS family_revoked,
        sum(
            CASE WHEN shared.is_revoked = 0 AND shared.expiry_second * 1000 <= app_horizons.ms THEN 1 ELSE 0 END
        ) AS expired_shares,
        sum(CASE WHEN member_bought.app_number IS NOT NULL THEN 1 ELSE 0 END) AS members_who_bought
    FROM shared
    LEFT JOIN app_horizons ON app_horizons.app_number = shared.app_number
    LEFT JOIN member_bought
        ON member_bought.original_transaction_id = shared.original_transaction_id
        AND member_bought.app_number = shared.app_number
        AND coalesce(member_bought.product_id, '') = coalesce(shared.product_id, '')
    GROUP BY 2, 1
),

buyer_counts AS (
    SELECT
        sold.app_number,
        coalesce(sold.product_id, '(none)') AS product_id,
        count(DISTINCT sold.customer_kind || ' ' || sold.customer) AS buyers,
        count(DISTINCT
            CASE
                WHEN shared_original.original_transaction_id IS NOT NULL
                    THEN sold.customer_kind || ' ' || sold.customer
            END) AS sharing_buyers
    FROM sold
    LEFT JOIN (
        SELECT DISTINCT app_number, original_transaction_id FROM shared
    ) AS shared_original
        ON shared_original.original_transaction_id = sold.original_transaction_id
        AND shared_original.app_number = sold.app_number
    GROUP BY 2, 1
),

summed AS (
    SELECT
        app_number,
        product_id,
        sum(buyers) AS buyers,
        sum(sharing_buyers) AS sharing_buyers,
        sum(shares) AS shares,
        sum(periods) AS periods,
        sum(revoked_shares) AS revoked_shares,
        sum(family_revoked) AS family_revoked,
        sum(expired_shares) AS expired_shares,
        sum(members_who_bought) AS members_who_bought
    FROM (
        SELECT * FROM share_counts
        UNION ALL
        SELECT app_number, product_id, buyers, sharing_buyers, 0, 0, 0, 0, 0, 0 FROM buyer_counts
    ) AS both_counts
    GROUP BY product_id, app_number
)

SELECT
    coalesce(app.environment, '(none)') AS environment,
    coalesce(app.bundle_id, '(none)') AS bundle_id,
    summed.product_id,
    summed.buyers,
    summed.sharing_buyers,
    summed.shares,
    summed.periods,
    summed.revoked_shares,
    summed.family_revoked,
    summed.expired_shares,
    summed.shares - summed.revoked_shares - summed.expired_shares AS active_shares,
    summed.members_who_bought
FROM summed
JOIN (SELECT DISTINCT app_number, environment, bundle_id FROM counted) AS app
    ON app.app_number = summed.app_number
WHERE summed.shares > 0
    AND coalesce(:bundle, 'all') IN ('all', app.bundle_id)
ORDER BY 1, 2, 3;
