-- verdicts-by-month: Receipts by verdict and month
-- How many receipts of each month were trusted, and what was wrong with the others?
--
-- Grain: one row per month, verdict
--
-- Parameters:
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   month     month              month of creation as the receipt states it; (none) where it states none; with
--                                :grain week the Monday of the week, with day the day
--   verdict   text               what verifying said
--   receipts  integer(receipts)  distinct receipts
--   share     share              of the month's receipts
--
-- Chart: bars  x=month  y=receipts  series=verdict
--        lines  x=month  y=share  series=verdict
--
-- Notes:
--   The date of a receipt that is not trusted is a claim.
--   Weeks outside 2008 to 2040 are shown as days.
--
-- Example:
--   receiptmill report verdicts-by-month --database mill.sqlite

WITH counted AS (
    SELECT
        coalesce(
            calendar.period,
            CASE WHEN coalesce(:grain, 'month') = 'month' THEN substr(creation_date, 1, 7) ELSE creation_date END,
            '(none)') AS month,
        verdict,
        sum(receipts) AS receipts
    FROM daily_receipts
    LEFT JOIN calendar_grains AS calendar
        ON calendar.grain = coalesce(:grain, 'month')
        AND calendar.day_number = daily_receipts.creation_day
    GROUP BY 1, 2
)

SELECT
    month,
    verdict,
    receipts,
    round(CAST(receipts AS DOUBLE) / sum(receipts) OVER (PARTITION BY month), 4) AS share
FROM counted
ORDER BY month, verdict;
