-- What renewal infos say of the time behind a period that no other followed at once, by number: one row per period and
-- billing retry, or without a retry where there is none.
--
-- Columns:
--   purchase_number  –                        –                         the period's purchase, its number in this
--                                                                       database alone
--   app_number       –                        –                         the app's number in this database alone
--   grace_ms         milliseconds since 1970  `gracePeriodExpiresDate`  end of the grace period; null where there is
--                                                                       none
--   grace_until      time                     `gracePeriodExpiresDate`  the same as text
--   from_ms          milliseconds since 1970  –                         begin of the retry; null where there is none
--   until_ms         milliseconds since 1970  –                         its end
--   again_ms         milliseconds since 1970  –                         begin of the next retry; null where there is
--                                                                       none
CREATE VIEW unpaid_spans_by_number AS
WITH periods AS (
    SELECT
        lasting.purchase_number,
        lasting.app_number,
        lasting.original_number,
        lasting.start_ms,
        lasting.expiry_ms AS end_ms,
        lasting.is_upgraded,
        coalesce(
            min(lasting.start_ms) OVER (
                PARTITION BY lasting.original_number, lasting.app_number, lasting.is_family
                ORDER BY lasting.start_ms
                RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING
            ),
            1 << 62
        ) AS next_ms
    FROM (
        SELECT purchase.purchase_id, purchase.original_transaction_id AS original_number
        FROM (SELECT DISTINCT original_transaction_id FROM renewal) AS told
        CROSS JOIN purchase ON purchase.original_transaction_id = told.original_transaction_id
        UNION
        SELECT purchase.purchase_id, purchase.transaction_id
        FROM (SELECT DISTINCT original_transaction_id FROM renewal) AS told
        CROSS JOIN purchase ON purchase.transaction_id = told.original_transaction_id
    ) AS candidate
    CROSS JOIN lasting_purchases AS lasting
        ON lasting.purchase_number = candidate.purchase_id
        AND lasting.original_number = candidate.original_number
    WHERE lasting.is_subscription = 1
),

told AS (
    SELECT
        gap.purchase_number,
        gap.app_number,
        gap.end_ms,
        gap.next_ms,
        renewal.signed_at,
        receipt.sha256,
        CASE WHEN renewal.is_in_billing_retry = 1 THEN 1 ELSE 0 END AS is_retried,
        max(CASE
            WHEN renewal.grace_period_expires_date > gap.end_ms THEN renewal.grace_period_expires_date
        END) OVER (PARTITION BY gap.purchase_number) AS grace_ms
    FROM (
        SELECT *
        FROM periods
        WHERE end_ms < next_ms
            AND coalesce(is_upgraded, 0) = 0
    ) AS gap
    CROSS JOIN app ON app.app_id = gap.app_number
    CROSS JOIN renewal
        ON renewal.original_transaction_id = gap.original_number
        AND renewal.environment = app.environment
        AND renewal.signed_at >= gap.start_ms
        AND renewal.signed_at < gap.next_ms
    CROSS JOIN receipt ON receipt.receipt_id = renewal.receipt_id
),

-- The renewal infos that say another than the one before; a retry may begin when grace period and period are over.
turned AS (
    SELECT
        purchase_number,
        min(coalesce(grace_ms, end_ms), next_ms) AS out_ms,
        next_ms,
        signed_at,
        sha256,
        is_retried,
        before_ms
    FROM (
        SELECT
            told.*,
            lag(is_retried) OVER said AS was_retried,
            lag(signed_at) OVER said AS before_ms
        FROM told
        WINDOW said AS (PARTITION BY purchase_number ORDER BY signed_at, sha256)
    ) AS compared
    WHERE coalesce(was_retried, 0) <> is_retried
),

-- A retry begins at once, however late the store told of it, and ends when the store said so, or the next begins.
retried AS (
    SELECT
        purchase_number,
        from_ms,
        until_ms,
        lead(from_ms) OVER (PARTITION BY purchase_number ORDER BY from_ms) AS again_ms
    FROM (
        SELECT
            purchase_number,
            CASE WHEN coalesce(before_ms, out_ms) <= out_ms THEN out_ms ELSE signed_at END AS from_ms,
            coalesce(
                lead(signed_at) OVER (PARTITION BY purchase_number ORDER BY signed_at, sha256),
                next_ms
            ) AS until_ms,
            out_ms,
            is_retried
        FROM turned
    ) AS spans
    WHERE is_retried = 1
        AND until_ms > out_ms
        AND until_ms > from_ms
)

SELECT
    unpaid.purchase_number,
    unpaid.app_number,
    unpaid.grace_ms,
    strftime('%Y-%m-%dT%H:%M:%SZ', unpaid.grace_ms / 1000, 'unixepoch') AS grace_until,
    retried.from_ms,
    retried.until_ms,
    retried.again_ms
FROM (
    SELECT purchase_number, app_number, max(grace_ms) AS grace_ms FROM told GROUP BY purchase_number, app_number
) AS unpaid
LEFT JOIN retried ON retried.purchase_number = unpaid.purchase_number;
