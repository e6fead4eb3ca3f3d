-- Always empty: runs belong to a database, and a lake has none.
SELECT
    CAST(NULL AS BIGINT) AS run_id,
    CAST(NULL AS BIGINT) AS started_at,
    CAST(NULL AS BIGINT) AS ended_at,
    CAST(NULL AS VARCHAR(20)) AS outcome,
    CAST(NULL AS BIGINT) AS archives,
    CAST(NULL AS BIGINT) AS archives_known,
    CAST(NULL AS BIGINT) AS archives_failed,
    CAST(NULL AS BIGINT) AS lines,
    CAST(NULL AS BIGINT) AS submissions,
    CAST(NULL AS BIGINT) AS parts,
    CAST(NULL AS BIGINT) AS receipts_new,
    CAST(NULL AS BIGINT) AS purchases_new,
    CAST(NULL AS BIGINT) AS rejected,
    CAST(NULL AS VARCHAR(20)) AS version,
    CAST(NULL AS BIGINT) AS reviews_alarms,
    receipt_id AS last_receipt,
    CAST(NULL AS BIGINT) AS exit_status,
    CAST(NULL AS VARCHAR(20)) AS reason,
    CAST(NULL AS VARCHAR(20)) AS advice,
    CAST(NULL AS BIGINT) AS faults,
    CAST(NULL AS BIGINT) AS submissions_expired,
    CAST(NULL AS BIGINT) AS letters_expired,
    CAST(NULL AS BIGINT) AS archives_expired,
    CAST(NULL AS BIGINT) AS confirms_clock
FROM receipt
WHERE 1 = 0
