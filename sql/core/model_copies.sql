-- Copies that a restore made, with the transaction that each one copies: a restore gives a period or a lasting purchase
-- another transaction identifier. Of a transaction and its copies one counts (place 1): one that states a cancellation,
-- else the original transaction, else the one with the lowest identifier. Consumables are never copied. A family
-- member's share is never a copy, even if other transactions have the same original transaction.
--
-- Grain: one row per transaction that is a copy or was copied
-- Key: purchase_id
-- Slice: purchase_id
-- Reference: purchase_id = purchase(purchase_id)
-- Reference: sale_id = purchase(purchase_id)
--
-- Columns:
--   purchase_id       INTEGER!  –           the transaction, by the loader's number
--   sale_id           INTEGER!  –           the transaction that counts, by the loader's number; model_sales has it
--   place             INTEGER!  –           1: the transaction that counts; 2 and above: its copies
--   sold_ms           INTEGER   ms          earliest purchase date of the transaction and its copies
--   price_milliunits  INTEGER   milliunits  price that a signed transaction states, of this transaction or one of its
--                                           copies
--   currency          TEXT      –           currency that a signed transaction states, of this transaction or one of
--                                           its copies
--   storefront        TEXT      –           storefront that a signed transaction states, of this transaction or one of
--                                           its copies
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
