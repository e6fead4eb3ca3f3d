-- One row per erased person: when, and how much was deleted, but never who. The rows record commands, as in `runs`.
--
-- Columns:
--   erasure_id    –            –  number of the erasure, in chronological order
--   erased_at     time         –  when the person was erased
--   identifier    –            –  kind of the person's identifier: account, device, app_account_token or subscriber
--   submissions   submissions  –  submissions that were deleted
--   receipts      receipts     –  receipts that were deleted: those that no one else presented
--   purchases     purchases    –  purchases that were deleted, including those that only untrusted receipts state
--   dead_letters  lines        –  kept rejected lines that were deleted
--   store_rows    rows         –  rows of the store's report files that were deleted
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
