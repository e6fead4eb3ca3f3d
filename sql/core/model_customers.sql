-- Customers: one for each account, app transaction, token or device of an app and environment, in all currencies
-- together. A customer's cohort is the month of the first transaction, even if that is a trial.
--
-- Grain: one row per customer with a transaction that is no member's share
-- Key: customer_id
-- Slice: customer_id
-- Reference: app_id = app(app_id)
--
-- Columns:
--   customer_id         INTEGER!  –   number of the customer, as in model_customer_numbers
--   app_id              INTEGER!  –   app and environment, by the loader's number
--   customer            TEXT      –   account, app transaction, token or device that identifies the customer; null if
--                                     none is known
--   original_id         ANY!      –   the lowest identifier of the customer's original transactions, as the loader
--                                     keeps it
--   customer_kind       TEXT!     –   what identifies the customer: account, app_transaction, token, device or original
--   first_ms            INTEGER   ms  time of the customer's first transaction
--   first_day           INTEGER   –   number of the local day of the customer's first transaction
--   cohort_month        INTEGER   –   number of the local month of the customer's first transaction
--   own_month           INTEGER   –   number of the UTC month of the customer's first transaction, from which months
--                                     since then are counted
--   own_day             INTEGER   –   UTC day of the month of the customer's first transaction, 1 to 31; months since
--                                     that transaction begin on this day
--   first_paid_ms       INTEGER   ms  time of the customer's first paid transaction; null if there is none
--   first_offer         TEXT      –   offer of the customer's first paid transaction; full if it had none
--   storefront          TEXT      –   country of the store that the customer's transactions state; of several, the last
--                                     in alphabetical order
--   transactions        INTEGER!  –   number of the customer's transactions, without restored copies and members'
--                                     shares
--   known_ms            INTEGER   ms  earliest end of access of the customer's subscriptions of which it is unknown
--                                     what followed; null if that is known of all
WITH gathered AS (
    SELECT
        customer_id,
        min(app_id) AS app_id,
        min(original_id) AS original_id,
        min(start_ms) AS first_ms,
        min(sold_day) AS first_day,
        min(CASE WHEN is_paid = 1 THEN start_ms END) AS first_paid_ms,
        max(storefront) AS storefront,
        count(*) AS transactions
    FROM model_sales
    WHERE customer_id IS NOT NULL
        AND start_ms IS NOT NULL
    GROUP BY customer_id
),

offered AS (
    SELECT sale.customer_id, min(sale.offer) AS first_offer
    FROM model_sales AS sale
    LEFT JOIN gathered ON gathered.customer_id = sale.customer_id
    -- An outer join, because with an inner join SQLite would index all sales first.
    WHERE coalesce(gathered.first_paid_ms, -1) = sale.start_ms
        AND sale.is_paid = 1
    GROUP BY sale.customer_id
),

lost AS (
    SELECT customer_id, min(last_access_ms) AS known_ms
    FROM model_subscriptions
    WHERE last_fate = 'unknown'
    GROUP BY customer_id
)

SELECT
    gathered.customer_id,
    gathered.app_id,
    CASE WHEN known.customer_kind <> 'original' THEN known.name END AS customer,
    gathered.original_id,
    known.customer_kind,
    gathered.first_ms,
    gathered.first_day,
    local_day.month_number AS cohort_month,
    began.month_number AS own_month,
    CAST(substr(began.day, 9, 2) AS INTEGER) AS own_day,
    gathered.first_paid_ms,
    offered.first_offer,
    gathered.storefront,
    gathered.transactions,
    lost.known_ms
FROM gathered
JOIN model_customer_numbers AS known ON known.customer_id = gathered.customer_id
LEFT JOIN offered ON offered.customer_id = gathered.customer_id
LEFT JOIN lost ON lost.customer_id = gathered.customer_id
LEFT JOIN model_days AS local_day ON local_day.day_number = gathered.first_day
LEFT JOIN model_days AS began
    ON began.day_number = CAST((gathered.first_ms - gathered.first_ms % 86400000) / 86400000 AS BIGINT)
