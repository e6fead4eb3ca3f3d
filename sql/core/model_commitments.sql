-- Periods of monthly plans with a commitment: how many payments the customer still owes after each, and whether a new
-- commitment will follow. A commitment begins with its first billing period. A renewal info of any of its periods
-- applies to the whole commitment; the newest counts.
--
-- Grain: one row per period of such a plan
-- Key: purchase_id
-- Kept: no
--
-- Columns:
--   purchase_id    INTEGER  –         the period's transaction, by the loader's number
--   payments_left  INTEGER  payments  payments of the commitment that are due after the period; null if no document
--                                     states them
--   will_renew     INTEGER  0 or 1    whether a new commitment follows the current one; null if no document states it
WITH billed AS (
    SELECT
        follower.purchase_id, follower.original_id, follower.app_id, follower.start_ms, follower.expires_ms,
        terms.commitment_period, terms.commitment_periods, terms.commitment_ms,
        coalesce(max(CASE WHEN terms.commitment_period = 1 THEN follower.start_ms END) OVER (
            PARTITION BY follower.original_id, follower.app_id ORDER BY follower.start_ms
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ), 0) AS begun_ms
    FROM model_followers AS follower
    JOIN model_terms AS terms ON terms.purchase_id = follower.purchase_id
    WHERE follower.variant % 10 = 1
),

told AS (
    SELECT
        billed.*, state.signed_ms, state.commitment_status,
        max(CASE WHEN state.commitment_status IS NOT NULL THEN state.signed_ms END) OVER (
            PARTITION BY billed.original_id, billed.app_id, billed.begun_ms
        ) AS newest_ms
    FROM billed
    LEFT JOIN model_renewal_states AS state
        ON state.original_id = billed.original_id
        AND state.app_id = billed.app_id
        AND state.start_ms = billed.start_ms
        AND state.until_ms IS NULL
)

SELECT
    purchase_id,
    CASE
        WHEN commitment_period >= commitment_periods THEN 0
        WHEN commitment_period < commitment_periods THEN commitment_periods - commitment_period
        -- The time left is divided by 30.44 days, the average length of a month.
        WHEN commitment_ms > expires_ms
            THEN CAST(floor(CAST(commitment_ms - expires_ms AS DOUBLE) / 2629746000 + 0.5) AS BIGINT)
        WHEN commitment_ms IS NOT NULL THEN 0
    END AS payments_left,
    max(CASE WHEN signed_ms = newest_ms THEN commitment_status END) OVER (
        PARTITION BY original_id, app_id, begun_ms
    ) AS will_renew
FROM told
