-- As decision.
SELECT
    CAST(NULL AS VARCHAR(20)) AS subject_kind,
    CAST(NULL AS VARCHAR(20)) AS subject
WHERE 1 = 0
