-- The number of trusted receipts per environment that were stored after the receipt ?1; if ?1 is null, after those
-- before the run ?2.
SELECT environment, count(*) AS receipts
FROM receipt
JOIN app USING (app_id)
WHERE receipt_id > coalesce(?1, (SELECT last_receipt FROM run WHERE run_id = ?2))
    AND verdict = 'trusted'
GROUP BY environment
ORDER BY environment
