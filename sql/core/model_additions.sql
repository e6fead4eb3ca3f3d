-- Seats that were added to a period while it ran: the store charges them in a transaction of their own, which is no
-- period of the subscription but part of the one that runs. The head is the transaction with which that period began.
--
-- An addition is stated to be one, as is the head, and begins while the head runs: more than an hour before the head
-- expires unless both end together, since a renewal begins less than an hour before.
--
-- Grain: one row per transaction that adds seats to a period
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id  INTEGER  –   the addition, by the loader's number
--   head_id      INTEGER  –   the transaction with which the period began, likewise
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

running AS (
    SELECT
        addition.purchase_id, addition.start_ms, head.purchase_id AS head_id,
        row_number() OVER (PARTITION BY addition.purchase_id ORDER BY head.start_ms, head.purchase_id) AS place
    FROM sold AS addition
    JOIN sold AS head
        ON head.original_id = addition.original_id
        AND head.app_id = addition.app_id
        AND head.product_number = addition.product_number
        AND head.start_ms < addition.start_ms
        AND head.expires_ms > addition.start_ms
    WHERE addition.additional_reason IS NOT NULL
        AND (
            addition.expires_ms <= head.expires_ms
            OR (addition.is_renewal = 0 AND addition.start_ms < head.expires_ms - 3600000)
        )
)

SELECT running.purchase_id, coalesce(earlier.head_id, running.head_id) AS head_id, running.start_ms
FROM running
-- What is added to an addition that outlasts its head is added to the head.
LEFT JOIN running AS earlier ON earlier.purchase_id = running.head_id AND earlier.place = 1
WHERE running.place = 1
