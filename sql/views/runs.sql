-- One row per run that loaded, or tried to. Every other view states the lines
-- alone, however many runs it took to load them.
--
-- Columns:
--   run_id           –         –  number of the run, in the order of their beginnings
--   started_at       time      –  when it began
--   ended_at         time      –  when it ended; null for one that is at work or never said so
--   outcome          –         –  done, alarm, incomplete, stopped, failed, interrupted or running, see data-model.md
--   archives         archives  –  archives that could be read
--   archives_known   archives  –  of these, loaded before
--   archives_failed  archives  –  archives missing, or not read to their end
--   lines            lines     –  lines that the run processed
--   submissions      lines     –  of these, submissions
--   receipts_new     receipts  –  receipts seen for the first time
--   receipts_known   receipts  –  receipts submitted, or held by submitted ones, that were known
--   purchases_new    purchases  –  purchases stated for the first time
--   rejected         lines     –  lines that hold no readable receipt
--   version          –         –  version of receiptmill
--   exit_status      –         –  what the process ended with where the run was no success; else null
--   reason           –         –  why it was none: the first fault, else the first alarm; else null
--   advice           –         –  for the operator; null if there is none
--   faults           number    –  faults and alarms, the first included
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
