-- What is left on either side of a group, and which of it the other side has on another day: ours that the store has at most
-- ten days later, a refund that it has at most 31 days later or earlier. Products, countries, currencies and prices are the
-- same. Of several days the nearest one counts.
--
-- The days of such a line are gone through in order. Ours goes up, the store's goes down, each by its units: what goes up
-- between two levels belongs to what comes down between them next.
--
-- Grain: one row per item of a group, and part of its units
-- Key: part, side, from_units, from_unit
-- Kept: no
--
-- Columns:
--   part         INTEGER  –       number of the group
--   side         INTEGER  –       0: the store's; 1: ours
--   from_units   INTEGER  –       the item of the group
--   from_unit    INTEGER  –       thousandths of the item's units before this part
--   units        INTEGER  –       thousandths of units of this part
--   other_day    INTEGER  –       number of the day under which the other side counts it; null where it has it on none
--   is_retried   INTEGER  0 or 1  1: ours was paid while the store retried
WITH rest AS (
    SELECT
        dense_rank() OVER (
            ORDER BY report, product_id, country, match_currency, match_milliunits, is_refund
        ) AS line,
        part, side, from_units, is_refund, day, match_day,
        CASE WHEN from_units < other_units THEN other_units - from_units ELSE 0 END AS taken,
        units,
        CASE WHEN match_day <> sold_day THEN 1 ELSE 0 END AS is_retried
    FROM model_reconciled_groups
    WHERE kind = 0
        AND from_units + units > other_units
),

steps AS (
    SELECT
        rest.*,
        min(side) OVER (PARTITION BY line) <> max(side) OVER (PARTITION BY line) AS is_told_twice,
        sum((units - taken) * (2 * side - 1)) OVER (
            PARTITION BY line ORDER BY match_day, side DESC, part, from_units
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS level_after
    FROM rest
),

walk AS (
    SELECT
        steps.*,
        CASE side WHEN 1 THEN level_after - (units - taken) ELSE level_after END AS low,
        CASE side WHEN 1 THEN level_after ELSE level_after + (units - taken) END AS high
    FROM steps
    WHERE is_told_twice
),

rungs AS (
    SELECT line, level AS low, lead(level) OVER (PARTITION BY line ORDER BY level) AS high
    FROM (SELECT line, low AS level FROM walk UNION SELECT line, high FROM walk) AS levels
),

crossings AS (
    SELECT
        walk.line, walk.part, walk.side, walk.from_units, walk.is_refund, walk.day, walk.match_day, walk.is_retried,
        walk.taken + rungs.low - walk.low AS from_unit,
        rungs.high - rungs.low AS units,
        rungs.low
    FROM walk
    JOIN rungs ON rungs.line = walk.line AND rungs.low >= walk.low AND rungs.high <= walk.high
),

-- At each level ours and the store's follow one another by turns.
turns AS (
    SELECT
        crossings.*,
        CASE is_refund WHEN 1 THEN 31 ELSE 10 END AS days,
        lag(match_day, 2) OVER level AS before_last, lag(match_day) OVER level AS last,
        lead(match_day) OVER level AS next, lead(match_day, 2) OVER level AS after_next,
        lag(day) OVER level AS last_day, lead(day) OVER level AS next_day,
        lag(is_retried) OVER level AS is_last_retried
    FROM crossings
    WINDOW level AS (PARTITION BY line, low ORDER BY match_day, side DESC, part, from_units)
)

SELECT
    part, side, from_units, from_unit, units,
    CASE
        -- Ours, and the store's after it.
        WHEN side = 1 AND next - match_day <= days THEN next_day
        WHEN side = 0 AND match_day - last <= days THEN last_day
        -- A refund that the store has earlier, if neither has its like in the other order.
        WHEN is_refund = 0 THEN NULL
        WHEN side = 0 AND next - match_day <= days AND coalesce(after_next - next, days + 1) > days THEN next_day
        WHEN side = 1 AND match_day - last <= days AND coalesce(last - before_last, days + 1) > days THEN last_day
    END AS other_day,
    CASE WHEN side = 1 THEN is_retried ELSE coalesce(is_last_retried, 0) END AS is_retried
FROM turns
UNION ALL
SELECT part, side, from_units, taken, units - taken, NULL, is_retried
FROM steps
WHERE NOT is_told_twice
