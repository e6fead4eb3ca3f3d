-- The purchases of purchase_sources, counted by day and by number.
--
-- Columns:
--   app_number    –                –               the app's number in this database alone
--   product_type  –                attribute 1707  as in purchases; null also of types that have no name
--   purchase_day  days since 1970  attribute 1704  as in purchase_sources
--   source        –                –               as in purchase_sources
--   purchases     –                –               how many
CREATE VIEW purchase_sources_by_day AS
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
    app_number,
    nullif(said / 4 % 8, 7) AS product_type,
    nullif(said / 32 - 1000000, -1000000) AS purchase_day,
    CASE said % 4 WHEN 0 THEN 'receipts' WHEN 1 THEN 'signed' ELSE 'both' END AS source,
    purchases
FROM (
    SELECT app_number, said, count(*) AS purchases
    FROM (
        SELECT
            state.app_number,
            -- Day, counted from a million before 1970 so that 0 is none, type and source: one number sorts fastest.
            coalesce((state.sold_ms + (SELECT ms FROM zone_offset)) / 86400000 + 1000000, 0) * 32
            + CASE WHEN state.product_type BETWEEN 0 AND 3 THEN state.product_type ELSE 7 END * 4
            + CASE
                WHEN state.terms_number IS NULL THEN 0
                WHEN latest.kind <> 'signed_transaction' OR received.transaction_id IS NOT NULL THEN 2
                ELSE 1
            END AS said
        FROM purchase_states AS state
        -- Only of what signed transactions tell of is the receipt looked up.
        LEFT JOIN receipt AS latest
            ON latest.receipt_id = CASE WHEN state.terms_number IS NOT NULL THEN state.receipt_number END
        LEFT JOIN received
            ON received.transaction_id = CASE WHEN state.terms_number IS NOT NULL THEN state.transaction_number END
            AND received.app_id = state.app_number
        WHERE state.is_restored = 0
        -- The limit makes a row of what is sorted: without it, all that the number is worked out of is sorted along.
        LIMIT -1
    ) AS told
    GROUP BY said, app_number
) AS counted;
