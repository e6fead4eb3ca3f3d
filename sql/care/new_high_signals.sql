-- A row for each new signal of high severity that no decision settles, as the dashboard counts them; at most ?1 rows.
SELECT 1
FROM fraud_signals
WHERE severity = 'high'
    AND is_new = 1
    AND is_settled = 0
    AND coalesce(environment, 'Production') = 'Production'
LIMIT ?1
