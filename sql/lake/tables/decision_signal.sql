-- As decision.
SELECT
    CAST(NULL AS BIGINT) AS decision_id,
    CAST(NULL AS VARCHAR(20)) AS signal
WHERE 1 = 0
