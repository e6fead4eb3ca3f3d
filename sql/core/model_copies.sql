-- Copies that restores made, with the transaction that each copies: a restore gives a period or a lasting purchase
-- another transaction identifier. Place 1 is the one that counts: one that states a cancellation, else the original
-- transaction, else the first identifier. Consumables are never copied. A member's share is no copy, neither of the
-- shared purchase nor of another member's share under the same original transaction.
--
-- Grain: one row per transaction that is a copy or was copied
-- Key: purchase_id
-- Slice: purchase_id
-- Reference: purchase_id = purchase(purchase_id)
-- Reference: sale_id = purchase(purchase_id)
--
-- Columns:
--   purchase_id       INTEGER!  –           the transaction, by the loader's number
--   sale_id           INTEGER!  –           the one that counts, likewise: it stands in model_sales
--   place             INTEGER!  –           1 for the one that counts
--   sold_ms           INTEGER   ms          when the first of them was bought
--   price_milliunits  INTEGER   milliunits  the price that a signed transaction among them states
--   currency          TEXT      –           currency of that price
--   storefront        TEXT      –           storefront of that transaction
WITH repeated_periods AS (
    SELECT original_transaction_id, app_id, purchase_date, expires_date
    FROM purchase
    WHERE original_transaction_id IS NOT NULL
        AND purchase_date IS NOT NULL
        AND expires_date IS NOT NULL
    GROUP BY original_transaction_id, app_id, purchase_date, expires_date
    HAVING count(*) > 1
),

repeated_purchases AS (
    SELECT original_transaction_id, app_id
    FROM purchase
    WHERE original_transaction_id IS NOT NULL
        AND expires_date IS NULL
        AND coalesce(product_type, -1) <> 1
    GROUP BY original_transaction_id, app_id
    HAVING count(*) > 1
),

members AS (
    SELECT purchase.purchase_id, purchase.purchase_date AS period_ms
    FROM repeated_periods AS repeated
    JOIN purchase
        ON purchase.original_transaction_id = repeated.original_transaction_id
        AND purchase.app_id = repeated.app_id
        AND purchase.purchase_date = repeated.purchase_date
        AND purchase.expires_date = repeated.expires_date
    UNION ALL
    SELECT purchase.purchase_id, 0
    FROM repeated_purchases AS repeated
    JOIN purchase
        ON purchase.original_transaction_id = repeated.original_transaction_id
        AND purchase.app_id = repeated.app_id
    WHERE purchase.expires_date IS NULL
        AND coalesce(purchase.product_type, -1) <> 1
),

stated AS (
    SELECT
        member.purchase_id,
        member.period_ms,
        purchase.app_id,
        purchase.transaction_id,
        purchase.original_transaction_id,
        purchase.purchase_date,
        purchase.expires_date,
        CASE WHEN purchase.cancellation_date IS NULL THEN 1 ELSE 0 END AS is_kept,
        CASE WHEN purchase.transaction_id = purchase.original_transaction_id THEN 0 ELSE 1 END AS is_later,
        terms.price_milliunits,
        terms.currency,
        terms.storefront
    FROM members AS member
    JOIN purchase ON purchase.purchase_id = member.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    WHERE coalesce(terms.is_shared, 0) = 0
)

SELECT
    purchase_id,
    first_value(purchase_id) OVER best AS sale_id,
    row_number() OVER best AS place,
    min(purchase_date) OVER same AS sold_ms,
    min(price_milliunits) OVER same AS price_milliunits,
    min(currency) OVER same AS currency,
    min(storefront) OVER same AS storefront
FROM stated
WINDOW same AS (PARTITION BY original_transaction_id, app_id, period_ms, expires_date),
best AS (
    PARTITION BY original_transaction_id, app_id, period_ms, expires_date
    ORDER BY is_kept, is_later, transaction_id
)
