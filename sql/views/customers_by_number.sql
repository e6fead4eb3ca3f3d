-- One row per original transaction that somebody bought: its customer, as in
-- purchase_customers, with a number to count by.
--
-- Columns:
--   app_number       –  –               the app's number in this database alone
--   original_number  –  attribute 1705  the original transaction, as the loader keeps it
--   customer         –  –               as in purchase_customers
--   customer_kind    –  –               as in purchase_customers
--   customer_number  –  –               a number for each customer and kind, as long as nothing is loaded
CREATE VIEW customers_by_number AS
WITH ranked AS (
    SELECT
        receipt_number,
        app_number,
        owner,
        is_device,
        -- An account before a device, the first, then the least name. One number sorts fastest.
        dense_rank() OVER (ORDER BY is_device * 4611686018427387904 + coalesce(presented_ms, 1 << 61), owner) AS place
    FROM owners_by_document
    WHERE purchase_count > 0
),

first AS (
    SELECT receipt_number, app_number, min(place) AS place
    FROM ranked
    GROUP BY receipt_number, app_number
),

presenter AS (
    SELECT place, min(owner) AS owner, min(is_device) AS is_device
    FROM ranked
    GROUP BY place
),

stated AS (
    SELECT
        bought.app_id,
        bought.original_transaction_id AS original_number,
        min(first.place) AS place,
        min(terms.app_account_token) AS app_account_token,
        min(terms.app_transaction_id) AS app_transaction_id
    FROM purchase AS bought
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = bought.transaction_id
        AND terms.app_id = bought.app_id
        AND terms.verdict = 'trusted'
    LEFT JOIN receipt_purchase ON receipt_purchase.transaction_id = bought.transaction_id
    LEFT JOIN first
        ON first.receipt_number = receipt_purchase.receipt_id
        AND first.app_number = bought.app_id
    WHERE bought.original_transaction_id IS NOT NULL
        AND coalesce(terms.ownership, '') <> 'FAMILY_SHARED'
    GROUP BY bought.original_transaction_id, bought.app_id
    UNION ALL
    SELECT
        bought.app_id,
        bought.transaction_id,
        min(first.place),
        min(terms.app_account_token),
        min(terms.app_transaction_id)
    FROM purchase AS bought
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = bought.transaction_id
        AND terms.app_id = bought.app_id
        AND terms.verdict = 'trusted'
    LEFT JOIN receipt_purchase ON receipt_purchase.transaction_id = bought.transaction_id
    LEFT JOIN first
        ON first.receipt_number = receipt_purchase.receipt_id
        AND first.app_number = bought.app_id
    WHERE bought.original_transaction_id IS NULL
        AND coalesce(terms.ownership, '') <> 'FAMILY_SHARED'
    GROUP BY bought.transaction_id, bought.app_id
),

original AS (
    SELECT
        app_id,
        original_number,
        min(place) AS place,
        min(app_account_token) AS app_account_token,
        min(app_transaction_id) AS app_transaction_id
    FROM stated
    GROUP BY original_number, app_id
),

linked AS (
    SELECT original.app_id, original.app_transaction_id, min(original.place) AS place
    FROM original
    JOIN presenter ON presenter.place = original.place
    WHERE presenter.is_device = 0
        AND original.app_transaction_id IS NOT NULL
    GROUP BY original.app_transaction_id, original.app_id
),

named AS (
    SELECT
        original.app_id,
        original.original_number,
        CASE
            WHEN own.is_device = 0 OR linked.place IS NOT NULL THEN 'account'
            WHEN original.app_transaction_id IS NOT NULL THEN 'app_transaction'
            WHEN original.app_account_token IS NOT NULL THEN 'token'
            WHEN own.is_device = 1 THEN 'device'
            ELSE 'original'
        END AS customer_kind,
        CASE
            WHEN own.is_device = 0 THEN own.owner
            WHEN linked.place IS NOT NULL THEN linking.owner
            WHEN original.app_transaction_id IS NOT NULL THEN original.app_transaction_id
            WHEN original.app_account_token IS NOT NULL THEN original.app_account_token
            WHEN own.is_device = 1 THEN own.owner
            ELSE CAST(original.original_number AS TEXT)
        END AS customer
    FROM original
    LEFT JOIN presenter AS own ON own.place = original.place
    LEFT JOIN linked
        ON linked.app_transaction_id = original.app_transaction_id
        AND linked.app_id = original.app_id
    LEFT JOIN presenter AS linking ON linking.place = linked.place
)

SELECT
    app_id AS app_number,
    original_number,
    customer,
    customer_kind,
    dense_rank() OVER (ORDER BY customer, customer_kind) AS customer_number
FROM named;
