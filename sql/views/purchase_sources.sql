-- One row per purchase, copies that restores made left out: what it is known by.
--
-- Columns:
--   environment     –                attribute 0     as in purchases
--   bundle_id       –                attribute 2     as in purchases
--   transaction_id  –                attribute 1703  the transaction
--   product_type    –                attribute 1707  as in purchases
--   purchase_day    days since 1970  attribute 1704  day of the purchase; null where no date is known
--   source          –                –               `receipts`: trusted receipts alone state the transaction;
--                                                    `signed`: signed transactions alone; `both`
CREATE VIEW purchase_sources AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    state.transaction_id,
    state.product_type,
    (state.sold_ms + (SELECT ms FROM zone_offset)) / 86400000 AS purchase_day,
    CASE
        -- Every signed transaction has terms.
        WHEN state.terms_number IS NULL THEN 'receipts'
        WHEN latest.kind <> 'signed_transaction' THEN 'both'
        WHEN EXISTS (
            SELECT 1 FROM receipt_purchase
            JOIN receipt AS stating ON stating.receipt_id = receipt_purchase.receipt_id
            WHERE receipt_purchase.transaction_id = stated.transaction_id
                AND stating.app_id = stated.app_id
                AND stating.verdict = 'trusted'
                AND stating.kind <> 'signed_transaction'
        ) THEN 'both'
        ELSE 'signed'
    END AS source
FROM purchase_states AS state
JOIN purchase AS stated ON stated.purchase_id = state.purchase_number
JOIN receipt AS latest ON latest.receipt_id = state.receipt_number
JOIN app ON app.app_id = state.app_number
WHERE state.is_restored = 0;
