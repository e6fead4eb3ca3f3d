-- coverage: What the database covers
-- Which apps, environments and days do trusted documents tell of?
--
-- Grain: one row per environment, bundle_id
--
-- Columns:
--   environment  text               environment of the documents; (none) where absent
--   bundle_id    text               bundle identifier of the app; (none) where absent
--   receipts     integer(receipts)  distinct trusted documents
--   first_day    date               day on which the store made the first of them
--   last_day     date               day on which it made the last; later ones are not known
--
-- Chart: bars  x=bundle_id  y=receipts
--
-- Notes:
--   Renewal infos name no app, and are left out. Transaction receipts state no day: null
--   where an app has nothing else.
--
-- Example:
--   receiptmill report coverage --database mill.sqlite

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    sum(receipts) AS receipts,
    min(creation_date) AS first_day,
    max(creation_date) AS last_day
FROM daily_receipts
WHERE verdict = 'trusted'
    AND kind <> 'signed_renewal'
GROUP BY 1, 2
ORDER BY 3 DESC, 1, 2;
