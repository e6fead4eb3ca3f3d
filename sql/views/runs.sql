-- One row per run that loaded archives, or tried to. All other views depend on the lines alone, however many runs
-- loaded them.
--
-- Columns:
--   run_id           –         –  number of the run, in chronological order
--   started_at       time      –  when the run began
--   ended_at         time      –  when the run ended; null if it is running, or was killed
--   outcome          –         –  how the run ended: done, alarm, incomplete, stopped, failed, interrupted or running;
--                                 see docs/data-model.md
--   archives         archives  –  archives that could be read
--   archives_known   archives  –  of the archives, those loaded before
--   archives_failed  archives  –  archives that are missing, or were not read to their end
--   lines            lines     –  lines that the run processed
--   submissions      lines     –  of the lines, submissions: documents that could be read
--   receipts_new     receipts  –  receipts seen for the first time
--   receipts_known   receipts  –  receipts submitted, or contained in submitted ones, that were loaded before
--   purchases_new    purchases  –  purchases stated for the first time
--   rejected         lines     –  lines that hold no readable receipt
--   version          –         –  version of receiptmill that ran
--   exit_status      –         –  exit status of the process if the run failed; else null
--   reason           –         –  why the run failed: the first fault, else the first alarm; else null
--   advice           –         –  advice for the operator; null if there is none
--   faults           number    –  number of the run's faults and alarms
--   submissions_expired  lines  –  expired submissions that the run deleted (retention_days)
--   letters_expired  lines     –  expired rejected lines that the run deleted (keep_days)
--   archives_expired  archives  –  expired moved archives that the run deleted (expire_days)
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
    submissions + parts - receipts_new AS receipts_known,
    purchases_new,
    rejected,
    version,
    exit_status,
    reason,
    advice,
    faults,
    submissions_expired,
    letters_expired,
    archives_expired
FROM run;
