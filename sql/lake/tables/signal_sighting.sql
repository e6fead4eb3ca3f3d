-- Always empty: runs belong to a database, and a lake has none.
SELECT
    row_key(CAST(NULL AS VARCHAR(20))) AS submission_id,
    CAST(NULL AS VARCHAR(20)) AS signal,
    CAST(NULL AS VARCHAR(20)) AS transaction_id,
    CAST(NULL AS BIGINT) AS run_id
WHERE 1 = 0
