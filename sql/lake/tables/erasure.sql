-- Always empty: erasures belong to a database, and a lake has none.
SELECT
    CAST(NULL AS BIGINT) AS erasure_id,
    CAST(NULL AS BIGINT) AS erased_at,
    CAST(NULL AS VARCHAR(32)) AS identifier,
    CAST(NULL AS BIGINT) AS submissions,
    CAST(NULL AS BIGINT) AS receipts,
    CAST(NULL AS BIGINT) AS purchases,
    CAST(NULL AS BIGINT) AS dead_letters,
    CAST(NULL AS BIGINT) AS store_rows
WHERE 1 = 0
