-- Always empty: retractions belong to a database, and a lake has none.
SELECT
    CAST(NULL AS BIGINT) AS retraction_id,
    CAST(NULL AS BIGINT) AS retracted_at,
    CAST(NULL AS VARCHAR(255)) AS name,
    CAST(NULL AS VARCHAR(64)) AS sha256,
    CAST(NULL AS BIGINT) AS lines,
    CAST(NULL AS BIGINT) AS loaded_lines,
    CAST(NULL AS BIGINT) AS pruned_lines
WHERE 1 = 0
