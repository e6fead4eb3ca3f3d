-- Always empty: decisions belong to a database, and a lake has none.
SELECT
    CAST(NULL AS BIGINT) AS decision_id,
    CAST(NULL AS VARCHAR(20)) AS signal
WHERE 1 = 0
