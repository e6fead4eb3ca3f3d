-- What Spark SQL needs beside tables or views of the names in sql/views: days
-- and numbers to count with, which each engine makes in its own way.

CREATE OR REPLACE TEMPORARY VIEW calendar AS
SELECT
    date_format(day, 'yyyy-MM-dd') AS day,
    CAST(datediff(day, DATE '1970-01-01') AS BIGINT) AS day_number,
    date_format(day, 'yyyy-MM') AS month,
    12 * year(day) + month(day) - 1 AS month_number
FROM (SELECT explode(sequence(DATE '2008-01-01', DATE '2040-12-31', INTERVAL 1 DAY)) AS day);

CREATE OR REPLACE TEMPORARY VIEW numbers AS
SELECT explode(sequence(0, 400)) AS n;
