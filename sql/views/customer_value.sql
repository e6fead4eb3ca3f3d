-- What customers of an app paid and got back, by the period of their first purchase of the app, which is their cohort,
-- and that of the payment; and, in rows of their own, how many customers a cohort has. Periods are those of each grain.
--
-- Columns:
--   grain                –           –  as in calendar_grains
--   app_number           –           –  the app's number in this database alone
--   currency             –           –  currency of the prices; `(none)`: purchases whose price nobody knows
--   cohort_number        –           –  period of the first purchase, free ones included, as in calendar_grains
--   period_number        –           –  period of what was paid and given back, null outside of the calendar; of
--                                       customers the cohort's own
--   customers            customers   –  customers of the cohort who ever bought in the currency, free purchases included
--   buyers               customers   –  of these, those with a sale in the period
--   sales                purchases   –  their purchases in the period of a price above 0 or unknown
--   gross_milliunits     milliunits  –  the prices of these
--   refunded_milliunits  milliunits  –  given back in the period, whenever the purchase was
--   list_milliunits      milliunits  –  of gross_milliunits less refunded_milliunits, what is by a list's prices
CREATE VIEW customer_value AS
WITH bought AS (
    SELECT
        app_number,
        original_number,
        coalesce(currency, '(none)') AS currency,
        sale,
        purchase_day,
        refund_day,
        coalesce(price_milliunits, 0) AS price_milliunits,
        coalesce(refunded_milliunits, 0) AS refunded_milliunits,
        CASE WHEN price_source = 'list' THEN 1 ELSE 0 END AS is_listed
    FROM sales_by_number
    WHERE sale <> 'family'
),

-- Customers are looked up by original transaction, of which there are fewer than purchases.
owned AS (
    SELECT originals.*, customers.customer_number
    FROM (
        SELECT app_number, original_number, currency, min(purchase_day) AS first_day
        FROM bought
        GROUP BY original_number, app_number, currency
    ) AS originals
    JOIN customers_by_number AS customers
        ON customers.original_number = originals.original_number
        AND customers.app_number = originals.app_number
),

member AS (
    SELECT owned.app_number, owned.original_number, owned.currency, owned.customer_number, begun.first_day
    FROM owned
    JOIN (
        SELECT app_number, customer_number, min(first_day) AS first_day
        FROM owned
        GROUP BY customer_number, app_number
    ) AS begun
        ON begun.customer_number = owned.customer_number
        AND begun.app_number = owned.app_number
),

moved AS (
    SELECT
        app_number,
        original_number,
        currency,
        purchase_day AS day_number,
        1 AS sales,
        price_milliunits AS gross,
        0 AS refunded,
        is_listed * price_milliunits AS listed
    FROM bought
    WHERE sale <> 'free'
    UNION ALL
    SELECT app_number, original_number, currency, refund_day, 0, 0, refunded_milliunits, -is_listed * refunded_milliunits
    FROM bought
    WHERE refund_day IS NOT NULL
)

SELECT
    begun.grain,
    member.app_number,
    member.currency,
    begun.period_number AS cohort_number,
    begun.period_number AS period_number,
    count(DISTINCT member.customer_number) AS customers,
    0 AS buyers,
    0 AS sales,
    0 AS gross_milliunits,
    0 AS refunded_milliunits,
    0 AS list_milliunits
FROM member
JOIN calendar_grains AS begun ON begun.day_number = member.first_day
GROUP BY begun.period_number, member.currency, member.app_number, begun.grain
UNION ALL
SELECT
    begun.grain,
    member.app_number,
    moved.currency,
    begun.period_number,
    paid.period_number,
    0,
    count(DISTINCT CASE WHEN moved.sales = 1 THEN member.customer_number END),
    sum(moved.sales),
    sum(moved.gross),
    sum(moved.refunded),
    sum(moved.listed)
FROM moved
JOIN member
    ON member.original_number = moved.original_number
    AND member.app_number = moved.app_number
    AND member.currency = moved.currency
JOIN calendar_grains AS begun ON begun.day_number = member.first_day
LEFT JOIN calendar_grains AS paid
    ON paid.grain = begun.grain
    AND paid.day_number = moved.day_number
GROUP BY begun.period_number, paid.period_number, moved.currency, member.app_number, begun.grain;
