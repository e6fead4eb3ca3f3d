-- receipts-by-month: Documents by month and verdict or digest
-- How many documents of each month were trusted, what was wrong with the others, and which digest did they use?
--
-- Grain: one row per month, value
-- Aliases: verdicts-by-month
--
-- Parameters:
--   :by       text(verdict, digest)  verdict  how the documents of a month are split into rows: by verdict, or by
--                                             digest algorithm
--   :verdict  text(all, trusted, untrusted_root, broken_chain, wrong_purpose, not_valid_at_creation, bad_signature,
--             unsupported_algorithm)  all  verdict of the documents counted; or all
--   :grain    text(month, week, day)  month  period of a row: a month, a week that begins on Monday, or a day
--
-- Columns:
--   month     month              month of creation as the document states it; (none) if it states none from 2008 to
--                                2040; with :grain week, the Monday of the week; with :grain day, the day
--   value     text               verdict, or digest algorithm of the signature, depending on :by; (none) if it is
--                                missing
--   receipts  integer(receipts)  number of distinct documents
--   share     share              receipts ÷ all documents of the month
-- Chart: bars  x=month  y=receipts  series=value
--        lines  x=month  y=share  series=value
--
-- Panel:
--   place     12
--   title     Documents by month of creation and verdict
--   chart     bars  x=month  y=receipts  series=value
--   missing   No document has been read yet.
--
-- Notes:
--   The date of an untrusted document is only a claim. The store signed receipts with SHA-1 until 2023, and with
--   SHA-256 since then.
--
-- Example:
--   receiptmill report receipts-by-month --database mill.sqlite by=digest verdict=trusted

WITH counted AS (
    SELECT
        coalesce(CASE coalesce(:grain, 'month') WHEN 'day' THEN day.day WHEN 'week' THEN day.week ELSE day.month END, '(none)')
            AS month,
        CASE WHEN coalesce(:by, 'verdict') = 'digest' THEN made.digest_algorithm ELSE made.verdict END AS value,
        sum(made.receipts) AS receipts
    FROM model_daily_receipts AS made
    LEFT JOIN model_days AS day ON day.day_number = made.day_number
    WHERE coalesce(:verdict, 'all') IN ('all', made.verdict)
    GROUP BY 1, 2
)

SELECT
    month, value, receipts,
    round(CAST(receipts AS DOUBLE) / sum(receipts) OVER (PARTITION BY month), 4) AS share
FROM counted
ORDER BY month, value;
