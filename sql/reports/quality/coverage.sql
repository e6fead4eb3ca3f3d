-- coverage: What the database covers
-- From which apps and environments do documents come, of which days, and with what verdicts?
--
-- Grain: one row per environment, bundle_id, kind, verdict
-- Aliases: environments
--
-- Parameters:
--   :by  text(app, verdict)  app  app: rows of trusted documents by app; verdict: rows of all documents by app, kind
--                                 and verdict
--
-- Columns:
--   environment  text                   environment of the documents; (none) if absent
--   bundle_id    text                   bundle identifier of the app; (none) if absent
--   kind         text                   kind of document, as in the view receipts; (all) unless :by is verdict
--   verdict      text                   trusted, or why the documents are not trusted; see docs/trust.md
--   receipts     integer(receipts)      number of distinct documents
--   purchases    integer(transactions)  purchases in the documents; a purchase in two documents counts twice
--   bytes        integer(bytes)         size of the documents
--   first_day    date                   day on which the store created the first of the documents
--   last_day     date                   day on which the store created the last of the documents; trusted documents
--                                       state nothing about later days
--
-- Total: receipts, purchases, bytes
-- Chart: bars  x=bundle_id  y=receipts
--
-- Notes:
--   The days of untrusted documents are only claims. Renewal infos name no app, and are left out unless :by is verdict.
--   Transaction receipts state no day, so first_day and last_day are empty if an app has no other documents.
--
-- Example:
--   receiptmill report coverage --database mill.sqlite by=verdict

WITH counted AS (
    SELECT
        app.environment, app.bundle_id,
        CASE WHEN coalesce(:by, 'app') = 'app' THEN '(all)' ELSE day.kind END AS kind,
        day.verdict,
        sum(day.receipts) AS receipts,
        sum(day.purchases) AS purchases,
        sum(day.bytes) AS bytes,
        min(nullif(day.day_number, -1)) AS first_number,
        max(nullif(day.day_number, -1)) AS last_number
    FROM model_daily_receipts AS day
    JOIN app ON app.app_id = day.app_id
    WHERE coalesce(:by, 'app') = 'verdict' OR (day.verdict = 'trusted' AND day.kind NOT IN ('signed_renewal', 'realtime_request'))
    GROUP BY 1, 2, 3, 4
)

SELECT
    coalesce(nullif(counted.environment, ''), '(none)') AS environment,
    coalesce(nullif(counted.bundle_id, ''), '(none)') AS bundle_id,
    counted.kind, counted.verdict, counted.receipts, counted.purchases, counted.bytes, first_days.day AS first_day,
    last_days.day AS last_day
FROM counted
LEFT JOIN model_days AS first_days ON first_days.day_number = counted.first_number
LEFT JOIN model_days AS last_days ON last_days.day_number = counted.last_number
ORDER BY 5 DESC, 1, 2, 3, 4;
