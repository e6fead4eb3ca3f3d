-- The plan lengths by which reports compare subscriptions.
--
-- Columns:
--   plan_days     days  –  length of the plan: 7, 30, 61, 91, 182 or 365
--   plan          –     –  length of the plan as an ISO 8601 duration, such as P1M
--   plan_ms       ms    –  length of the plan; months and years have their mean length
--   tolerance_ms  ms    –  how far a renewal may be from a multiple of plan_ms: three days; half a day for a week
CREATE VIEW internal_plans AS
SELECT 7 AS plan_days, 'P1W' AS plan, CAST(604800000 AS BIGINT) AS plan_ms, 43200000 AS tolerance_ms
UNION ALL SELECT 30, 'P1M', CAST(2629746000 AS BIGINT), 259200000
UNION ALL SELECT 61, 'P2M', CAST(5259492000 AS BIGINT), 259200000
UNION ALL SELECT 91, 'P3M', CAST(7889238000 AS BIGINT), 259200000
UNION ALL SELECT 182, 'P6M', CAST(15778476000 AS BIGINT), 259200000
UNION ALL SELECT 365, 'P1Y', CAST(31556952000 AS BIGINT), 259200000;
