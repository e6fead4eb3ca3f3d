-- What DuckDB needs beside tables or views of the names in sql/views: days and
-- numbers to count with, which each engine makes in its own way.

CREATE OR REPLACE VIEW calendar AS
SELECT
    strftime(day, '%Y-%m-%d') AS day,
    date_diff('day', DATE '1970-01-01', day) AS day_number,
    strftime(day, '%Y-%m') AS month,
    12 * year(day) + month(day) - 1 AS month_number
FROM (
    SELECT CAST(unnest(generate_series(DATE '2008-01-01', DATE '2040-12-31', INTERVAL 1 DAY)) AS DATE) AS day
);

CREATE OR REPLACE VIEW numbers AS
SELECT unnest(range(401)) AS n;
