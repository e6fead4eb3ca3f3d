-- Seats added to a subscription period while it ran. The App Store charges them in a transaction of their own, which is
-- not a new period but part of the running one. The head is the transaction with which that period began.
--
-- A signed transaction states that it adds seats. Its head is the first transaction of the same subscription and
-- product that began before it and expires late enough: more than an hour after the addition begins, because a renewal
-- begins less than an hour before the previous period ends. If the addition is itself a renewal, or runs for at most an
-- hour, its head expires no earlier than the addition.
--
-- Grain: one row per transaction that adds seats to a period
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id  INTEGER  –   transaction that adds seats to a running period, by the loader's number
--   head_id      INTEGER  –   transaction with which the running period began, to which the seats are added, by the
--                             loader's number
--   start_ms     INTEGER  ms  when the seats were added
WITH sold AS (
    SELECT
        terms.purchase_id, purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        purchase.product_number, purchase.purchase_date AS start_ms, purchase.expires_date AS expires_ms,
        terms.additional_reason, terms.is_renewal
    FROM model_terms AS terms
    JOIN purchase ON purchase.purchase_id = terms.purchase_id
    WHERE terms.seats IS NOT NULL
        AND terms.is_shared = 0
        AND purchase.expires_date > purchase.purchase_date
),

placed AS (
    SELECT
        sold.*,
        row_number() OVER (PARTITION BY original_id, app_id, product_number ORDER BY start_ms, purchase_id) AS place,
        -- The head, which began the running period, must expire at this time or later.
        CASE
            WHEN additional_reason IS NULL THEN NULL
            WHEN is_renewal = 0 AND start_ms + 3600001 < expires_ms THEN start_ms + 3600001
            ELSE expires_ms
        END AS minimum_ms
    FROM sold
    WHERE product_number IS NOT NULL
),

-- Heads (transactions that begin a period) and additions (of seats) are sorted together, so that additions need not be
-- joined with all heads. The first head that runs long enough is taken.
ordered AS (
    SELECT original_id, app_id, product_number, expires_ms AS at_ms, 0 AS rank, place AS head_place, NULL AS purchase_id
    FROM placed
    UNION ALL
    SELECT original_id, app_id, product_number, minimum_ms, 1, NULL, purchase_id
    FROM placed
    WHERE minimum_ms IS NOT NULL
),

found AS (
    SELECT
        original_id, app_id, product_number, purchase_id,
        min(head_place) OVER (
            PARTITION BY original_id, app_id, product_number ORDER BY at_ms DESC, rank
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS head_place
    FROM ordered
),

running AS (
    SELECT addition.purchase_id, addition.start_ms, head.purchase_id AS head_id
    FROM found
    JOIN placed AS addition ON addition.purchase_id = found.purchase_id
    JOIN placed AS head
        ON head.original_id = found.original_id
        AND head.app_id = found.app_id
        AND head.product_number = found.product_number
        AND head.place = found.head_place
    WHERE head.start_ms < addition.start_ms
)

SELECT running.purchase_id, coalesce(earlier.head_id, running.head_id) AS head_id, running.start_ms
FROM running
-- If the head found is itself an addition, that addition's head counts.
LEFT JOIN running AS earlier ON earlier.purchase_id = running.head_id
