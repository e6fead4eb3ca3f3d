-- Documents by the day on which the store made them, by app, kind, verdict and digest: trusted ones, and others as they
-- state it.
--
-- Grain: one row per app, kind, verdict, digest algorithm and day
-- Key: app_id, kind, verdict, digest_algorithm, day_number
-- Sums: receipts
-- Reference: app_id = app(app_id)
--
-- Columns:
--   app_id            INTEGER!  –             app and environment, by the loader's number
--   kind              TEXT!     –             as in receipts
--   verdict           TEXT!     –             as in receipts
--   digest_algorithm  TEXT!     –             as in receipts; (none) where it is missing
--   day_number        INTEGER!  –             number of the local day; -1 where none of 2008 to 2040 is stated
--   receipts          INTEGER!  receipts      distinct documents
--   purchases         INTEGER!  transactions  purchases in them, a purchase in two documents twice
--   bytes             INTEGER!  bytes         size of them
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
