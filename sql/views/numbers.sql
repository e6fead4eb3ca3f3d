-- One row per number from 0 to 400, to count periods with.
--
-- Columns:
--   n  –  –  the number
CREATE VIEW numbers AS
WITH RECURSIVE counted(n) AS (
    SELECT 0
    UNION ALL
    SELECT n + 1 FROM counted WHERE n < 400
)

SELECT n FROM counted;
