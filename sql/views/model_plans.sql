-- Lengths of plans by which subscriptions are compared.
--
-- Columns:
--   plan_days     days  –  length of the plan, as in model_periods
--   plan          –     –  the same as an ISO 8601 duration
--   plan_ms       ms    –  the same, of months and years in the mean
--   tolerance_ms  ms    –  how far a renewal may be off the multiples of plan_ms: up to three days, of a week half a
--                          day
CREATE VIEW model_plans AS
SELECT 7 AS plan_days, 'P1W' AS plan, CAST(604800000 AS BIGINT) AS plan_ms, 43200000 AS tolerance_ms
UNION ALL SELECT 30, 'P1M', CAST(2629746000 AS BIGINT), 259200000
UNION ALL SELECT 61, 'P2M', CAST(5259492000 AS BIGINT), 259200000
UNION ALL SELECT 91, 'P3M', CAST(7889238000 AS BIGINT), 259200000
UNION ALL SELECT 182, 'P6M', CAST(15778476000 AS BIGINT), 259200000
UNION ALL SELECT 365, 'P1Y', CAST(31556952000 AS BIGINT), 259200000;
