-- When the newest documents of each app there were made, by number: what app_horizons shows with names.
--
-- Columns:
--   app_number   –                        –  the app's number in this database alone
--   newest_ms    milliseconds since 1970  –  when the newest was made, as in app_horizons
--   notified_ms  milliseconds since 1970  –  when the newest notification was made that holds a document
CREATE VIEW newest_documents AS
SELECT app_id AS app_number, max(created_ms) AS newest_ms, max(notified_ms) AS notified_ms
FROM (
    SELECT app_id, max(receipt_creation_date) AS created_ms, CAST(NULL AS BIGINT) AS notified_ms
    FROM receipt
    WHERE verdict = 'trusted'
        AND kind <> 'signed_renewal'
    GROUP BY app_id
    UNION ALL
    SELECT receipt.app_id, NULL, max(receipt.receipt_creation_date)
    FROM receipt_part
    CROSS JOIN receipt ON receipt.receipt_id = receipt_part.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind = 'notification'
    GROUP BY receipt.app_id
    UNION ALL
    SELECT app_id, max(as_of), NULL
    FROM purchase
    GROUP BY app_id
    UNION ALL
    SELECT purchase.app_id, max(renewal.signed_at), NULL
    FROM renewal
    CROSS JOIN purchase ON purchase.original_transaction_id = renewal.original_transaction_id
    CROSS JOIN app
        ON app.app_id = purchase.app_id
        AND app.environment = renewal.environment
    GROUP BY purchase.app_id
) AS made
GROUP BY app_id;
