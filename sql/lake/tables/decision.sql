-- Always empty: decisions belong to a database, and a lake has none.
SELECT
    CAST(NULL AS BIGINT) AS decision_id,
    CAST(NULL AS VARCHAR(20)) AS subject_kind,
    CAST(NULL AS VARCHAR(20)) AS subject,
    CAST(NULL AS VARCHAR(20)) AS verdict,
    CAST(NULL AS VARCHAR(20)) AS note,
    CAST(NULL AS VARCHAR(20)) AS decided_by,
    CAST(NULL AS BIGINT) AS decided_at
WHERE 1 = 0
