-- Documents by the day on which the App Store created them, and by app, kind, verdict and digest. For untrusted
-- documents, the day is the one that they state.
--
-- Grain: one row per app, kind, verdict, digest algorithm and day
-- Key: app_id, kind, verdict, digest_algorithm, day_number
-- Sums: receipts
-- Reference: app_id = app(app_id)
--
-- Columns:
--   app_id            INTEGER!  –             app and environment, by the loader's number
--   kind              TEXT!     –             kind of document, as in receipts: app_receipt, signed_transaction, …
--   verdict           TEXT!     –             trusted, or why the documents are not trusted; see docs/trust.md
--   digest_algorithm  TEXT!     –             digest algorithm, as in receipts: sha1, sha256, …; (none) if it is
--                                             missing
--   day_number        INTEGER!  –             number of the local day on which the documents were created; -1 if they
--                                             state none between 2008 and 2040
--   receipts          INTEGER!  receipts      number of distinct documents
--   purchases         INTEGER!  transactions  purchases in the documents; a purchase in two documents counts twice
--   bytes             INTEGER!  bytes         total size of the documents
SELECT
    receipt.app_id,
    receipt.kind,
    receipt.verdict,
    coalesce(receipt.digest_algorithm, '(none)') AS digest_algorithm,
    coalesce(CASE WHEN receipt.receipt_creation_date < day.midnight_ms THEN day.earlier_day ELSE day.later_day END, -1) AS day_number,
    count(*) AS receipts,
    sum(receipt.purchase_count) AS purchases,
    sum(receipt.bytes) AS bytes
FROM receipt
LEFT JOIN model_utc_days AS day
    ON day.utc_day = CAST((receipt.receipt_creation_date - receipt.receipt_creation_date % 86400000) / 86400000 AS BIGINT)
GROUP BY 5, 1, 3, 4, 2
