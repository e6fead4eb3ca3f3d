-- Always empty: allowed subjects belong to a database, and a lake has none.
SELECT
    CAST(NULL AS VARCHAR(20)) AS subject_kind,
    CAST(NULL AS VARCHAR(20)) AS subject
WHERE 1 = 0
