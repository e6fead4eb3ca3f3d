-- One row per run that loaded, or tried to. Every other view tells of the lines
-- alone, however many runs it took to load them.
CREATE VIEW runs AS
SELECT
    run_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', started_at / 1000, 'unixepoch') AS started_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', ended_at / 1000, 'unixepoch') AS ended_at,
    outcome,
    archives,
    archives_known,
    archives_failed,
    lines,
    submissions,
    receipts_new,
    submissions - receipts_new AS receipts_known,
    purchases_new,
    rejected,
    version
FROM run;
