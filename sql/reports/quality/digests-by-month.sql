-- digests-by-month: Digest algorithms by month
-- Since when are receipts signed over SHA-256, and which are still SHA-1?
--
-- Grain: one row per month, digest_algorithm
--
-- Parameters:
--   :verdict  text(trusted, untrusted_root, broken_chain, wrong_purpose, not_valid_at_creation, bad_signature,
--             unsupported_algorithm, all)  trusted  verdict of the receipts counted; or all
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   month             month              month of creation; (none) where the receipt states none; with :grain
--                                        week the Monday of the week, with day the day
--   digest_algorithm  text               algorithm that the signature covers; (none) where it is missing
--   receipts          integer(receipts)  distinct receipts
--   share             share              of the month's receipts
--
-- Chart: area  x=month  y=receipts  series=digest_algorithm
--
-- Notes:
--   The store signed with SHA-1 until 2023 and with SHA-256 since.
--   Weeks outside 2008 to 2040 are shown as days.
--
-- Example:
--   receiptmill report digests-by-month --database mill.sqlite

WITH counted AS (
    SELECT
        coalesce(
            calendar.period,
            CASE WHEN coalesce(:grain, 'month') = 'month' THEN substr(creation_date, 1, 7) ELSE creation_date END,
            '(none)') AS month,
        coalesce(digest_algorithm, '(none)') AS digest_algorithm,
        sum(receipts) AS receipts
    FROM daily_receipts
    LEFT JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = daily_receipts.creation_day
    WHERE coalesce(:verdict, 'trusted') IN ('all', verdict)
    GROUP BY 1, 2
)

SELECT
    month,
    digest_algorithm,
    receipts,
    round(CAST(receipts AS DOUBLE) / sum(receipts) OVER (PARTITION BY month), 4) AS share
FROM counted
ORDER BY month, digest_algorithm;
