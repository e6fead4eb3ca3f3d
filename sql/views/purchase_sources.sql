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
--   app_number      –                –               the app's number in this database alone, to count by
CREATE VIEW purchase_sources AS
WITH received AS (
    SELECT DISTINCT terms.app_id, terms.transaction_id
    FROM purchase_terms AS terms
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = terms.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = terms.app_id
    WHERE terms.verdict = 'trusted'
        AND receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_transaction'
)

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
        WHEN received.transaction_id IS NOT NULL THEN 'both'
        ELSE 'signed'
    END AS source,
    state.app_number
FROM purchase_states AS state
JOIN app ON app.app_id = state.app_number
-- Only of what signed transactions tell of is the receipt looked up.
LEFT JOIN receipt AS latest
    ON latest.receipt_id = CASE WHEN state.terms_number IS NOT NULL THEN state.receipt_number END
LEFT JOIN received
    ON received.transaction_id = CASE WHEN state.terms_number IS NOT NULL THEN state.transaction_number END
    AND received.app_id = state.app_number
WHERE state.is_restored = 0;
