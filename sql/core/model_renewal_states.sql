-- What the renewal infos of each period state, in order. Renewal infos signed one after another with the same statuses
-- (of billing retry, renewal and the next commitment) are one row. The last row of a period has no until_ms.
--
-- A renewal info belongs to the period that had started last when it was signed. If it was signed within a day before
-- the next period and states the end of the next period, it belongs to the next period. If original transactions
-- continue one another, it belongs to a period of the original that it states.
--
-- Grain: one row per period and change of the statuses that its trusted renewal infos state
-- Key: original_id, app_id, start_ms, since_ms
-- Slice: original_id, app_id
-- Reference: app_id = app(app_id)
--
-- Columns:
--   app_id                     INTEGER!  –           app and environment, by the loader's number
--   original_id                ANY!      –           identifier of the subscription: its first original transaction
--   start_ms                   INTEGER!  ms          start of the period
--   since_ms                   INTEGER!  ms          when the first renewal info with these statuses was signed
--   until_ms                   INTEGER   ms          when the next renewal info with other statuses was signed; null if
--                                                    there is none
--   signed_ms                  INTEGER   ms          when the last renewal info with these statuses was signed; it
--                                                    states the columns from auto_renew_status to commitment_status
--   auto_renew_status          INTEGER   0 or 1      1: the subscription will renew
--   auto_renew_product_number  INTEGER   –           product as which the subscription renews, by the loader's number
--   expiration_intent          INTEGER   –           why the subscription expired: 1 the customer canceled, 2 billing,
--                                                    3 a price increase, 4 the product was removed, 5 other
--   is_in_billing_retry        INTEGER   0 or 1      1: the App Store retries the payment
--   renewal_ms                 INTEGER   ms          when the subscription renews next
--   renewal_price_milliunits   INTEGER   milliunits  price at which the subscription renews; for seats, of all seats
--                                                    together
--   currency                   TEXT      –           currency of the renewal price
--   price_increase_status      INTEGER   0 or 1      whether the customer agreed to a higher price
--   commitment_status          INTEGER   0 or 1      whether a new commitment follows the current one
--   grace_ms                   INTEGER   ms          latest end of a grace period that the period's renewal infos state
--   retried_ms                 INTEGER   ms          when the last renewal info that states a billing retry was signed
--   retry_over_ms              INTEGER   ms          when the first renewal info after retried_ms was signed; it states
--                                                    no billing retry
WITH told AS (
    SELECT app_id, original_id, stated_id, start_ms AS ms, 0 AS place, start_ms, NULL AS receipt_id
    FROM model_followers
    WHERE stated_id IN (SELECT original_transaction_id FROM renewal)
    UNION ALL
    SELECT own.app_id, own.original_id, own.stated_id, renewal.signed_at, 1, NULL, renewal.receipt_id
    FROM (
        SELECT original_id, app_id, original_id AS stated_id FROM model_followers GROUP BY original_id, app_id
        UNION ALL
        SELECT first_id, app_id, original_id FROM model_switches
    ) AS own
    JOIN app ON app.app_id = own.app_id
    JOIN renewal
        ON renewal.original_transaction_id = own.stated_id
        AND renewal.environment = app.environment
),

ordered AS (
    SELECT
        app_id, original_id, receipt_id, ms AS signed_ms,
        max(start_ms) OVER (
            PARTITION BY stated_id, app_id ORDER BY ms, place, receipt_id
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS start_ms
    FROM told
),

placed AS (
    SELECT
        ordered.app_id, ordered.original_id, ordered.receipt_id, ordered.signed_ms,
        CASE
            WHEN period.next_start_ms <= ordered.signed_ms + 86400000
                AND renewal.renewal_date > period.next_start_ms
                AND renewal.renewal_date > period.expires_ms + 3600000
                THEN period.next_start_ms
            ELSE ordered.start_ms
        END AS start_ms
    FROM ordered
    JOIN renewal ON renewal.receipt_id = ordered.receipt_id
    JOIN model_followers AS period
        ON period.original_id = ordered.original_id
        AND period.app_id = ordered.app_id
        AND period.start_ms = ordered.start_ms
),

-- If several renewal infos were signed at once, the one with the highest digest counts, compared by bytes.
stated AS (
    SELECT
        placed.app_id, placed.original_id, placed.start_ms, placed.signed_ms, placed.receipt_id,
        coalesce(renewal.is_in_billing_retry, 2) * 16 + coalesce(renewal.auto_renew_status, 2) * 4
            + coalesce(renewal.commitment_auto_renew_status, 2) AS statuses,
        max(renewal.grace_period_expires_date) OVER period AS grace_ms,
        max(CASE WHEN renewal.is_in_billing_retry = 1 THEN placed.signed_ms END) OVER period AS retried_ms,
        row_number() OVER (
            PARTITION BY placed.original_id, placed.app_id, placed.start_ms, placed.signed_ms ORDER BY receipt.sha256 DESC
        ) AS place
    FROM placed
    JOIN renewal ON renewal.receipt_id = placed.receipt_id
    JOIN receipt ON receipt.receipt_id = placed.receipt_id
    WINDOW period AS (PARTITION BY placed.original_id, placed.app_id, placed.start_ms)
),

compared AS (
    SELECT
        stated.*,
        lag(statuses) OVER period AS former_statuses,
        lead(statuses) OVER period AS next_statuses,
        lead(signed_ms) OVER period AS next_ms,
        min(CASE WHEN signed_ms > retried_ms THEN signed_ms END) OVER (PARTITION BY original_id, app_id, start_ms)
            AS retry_over_ms
    FROM stated
    WHERE place = 1
    WINDOW period AS (PARTITION BY original_id, app_id, start_ms ORDER BY signed_ms)
),

dated AS (
    SELECT
        compared.*,
        max(CASE WHEN statuses = former_statuses THEN NULL ELSE signed_ms END) OVER (
            PARTITION BY original_id, app_id, start_ms ORDER BY signed_ms ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS since_ms
    FROM compared
)

SELECT
    dated.app_id, dated.original_id, dated.start_ms, dated.since_ms, dated.next_ms AS until_ms, dated.signed_ms,
    renewal.auto_renew_status, renewal.auto_renew_product_number, renewal.expiration_intent, renewal.is_in_billing_retry,
    renewal.renewal_date AS renewal_ms,
    coalesce(renewal.renewal_amount_milliunits, renewal.renewal_price_milliunits) AS renewal_price_milliunits,
    renewal.currency, renewal.price_increase_status, renewal.commitment_auto_renew_status AS commitment_status,
    dated.grace_ms, dated.retried_ms, dated.retry_over_ms
FROM dated
JOIN renewal ON renewal.receipt_id = dated.receipt_id
-- The last renewal info with the same statuses.
WHERE dated.next_statuses IS NULL
    OR dated.next_statuses <> dated.statuses
