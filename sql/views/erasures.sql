-- One row per erased person: what was deleted and when, never who. The rows record commands, as in `runs`.
--
-- Columns:
--   erasure_id    –            –  number of the erasure, in their order
--   erased_at     time         –  when
--   identifier    –            –  by what the person was known: account, device, app_account_token or subscriber
--   submissions   submissions  –  submissions that went
--   receipts      receipts     –  receipts that went: those that no one else presented
--   purchases     purchases    –  purchases and claims that went
--   dead_letters  lines        –  kept rejected lines that went
--   store_rows    rows         –  rows of the store's report files that went
CREATE VIEW erasures AS
SELECT
    erasure_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', erased_at / 1000, 'unixepoch') AS erased_at,
    identifier,
    submissions,
    receipts,
    purchases,
    dead_letters,
    store_rows
FROM erasure;
