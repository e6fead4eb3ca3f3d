-- The units left on either side of a group, matched with another day of the other side: a sale with a day up to ten
-- days later, a refund with a day up to 31 days later or earlier. Product, country, currency and price are the same,
-- and the nearest day counts. A payment made during billing retry is sought from the start of its period.
--
-- The units are taken in the order of days. A running total rises with each unit of ours, and falls with each of the
-- store's. A unit of ours that raises the total from one value to the next is paired with the store's unit that next
-- lowers it from there. A refund may also be paired with an earlier unit of the store.
--
-- Grain: one row per item of a group, and part of its units
-- Key: part, side, from_units, from_unit
-- Kept: no
--
-- Columns:
--   part         INTEGER  –       number of the group of items that are compared
--   side         INTEGER  –       0: the store's report files; 1: our documents
--   from_units   INTEGER  –       identifies the item in its group: thousandths of units before the item, on its side
--                                 (the store's or ours)
--   from_unit    INTEGER  –       thousandths of the item's units before this part
--   units        INTEGER  –       thousandths of units of this part
--   other_day    INTEGER  –       number of the day under which the other side (the store's report files or our
--                                 documents) counts the units of this part; null if it does not
--   app_id       INTEGER  –       app in Production; if the store's report files and our documents name different apps,
--                                 the store's
--   is_retried   INTEGER  0 or 1  1: the payment that our documents state was made during billing retry
WITH rest AS (
    SELECT
        dense_rank() OVER (
            ORDER BY report, product_id, country, match_currency, match_milliunits, is_refund, seller
        ) AS line,
        part, side, from_units, is_refund, app_id, day, sold_day,
        match_day - sold_day AS waited_days,
        CASE WHEN from_units < other_units THEN other_units - from_units ELSE 0 END AS taken,
        units
    FROM model_reconciled_groups
    WHERE kind = 0
        AND from_units + units > other_units
),

steps AS (
    SELECT
        rest.*,
        min(side) OVER (PARTITION BY line) <> max(side) OVER (PARTITION BY line) AS is_told_twice,
        sum((units - taken) * (2 * side - 1)) OVER (
            PARTITION BY line ORDER BY sold_day, side DESC, part, from_units
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
        walk.line, walk.part, walk.side, walk.from_units, walk.is_refund, walk.app_id, walk.day, walk.sold_day, walk.waited_days,
        walk.taken + rungs.low - walk.low AS from_unit,
        rungs.high - rungs.low AS units,
        CASE walk.is_refund WHEN 1 THEN 31 ELSE 10 END AS days,
        rungs.low
    FROM walk
    JOIN rungs ON rungs.line = walk.line AND rungs.low >= walk.low AND rungs.high <= walk.high
),

-- At each value of the running total, our units and the store's alternate.
turns AS (
    SELECT
        crossings.*,
        lag(sold_day, 2) OVER level AS before_last, lag(sold_day) OVER level AS last,
        lead(sold_day) OVER level AS next, lead(sold_day, 2) OVER level AS after_next,
        lag(day) OVER level AS last_day, lead(day) OVER level AS next_day,
        lag(app_id) OVER level AS last_app, lead(app_id) OVER level AS next_app,
        coalesce(lag(waited_days) OVER level, 0) AS last_waited_days
    FROM crossings
    WINDOW level AS (PARTITION BY line, low ORDER BY sold_day, side DESC, part, from_units)
),

paired AS (
    SELECT
        turns.*,
        CASE
            -- A unit of ours, paired with the store's unit after it.
            WHEN side = 1 AND next - sold_day <= days + waited_days THEN 'next'
            WHEN side = 0 AND sold_day - last <= days + last_waited_days THEN 'last'
            -- A refund that the store counts earlier, if neither can be paired in the other order.
            WHEN is_refund = 0 THEN NULL
            WHEN side = 0 AND next - sold_day <= days AND coalesce(after_next - next, days + 1) > days THEN 'next'
            WHEN side = 1 AND sold_day - last <= days AND coalesce(last - before_last, days + 1) > days THEN 'last'
        END AS other
    FROM turns
)

SELECT
    part, side, from_units, from_unit, units,
    CASE other WHEN 'next' THEN next_day WHEN 'last' THEN last_day END AS other_day,
    CASE WHEN side = 0 OR other IS NULL THEN app_id WHEN other = 'next' THEN next_app ELSE last_app END AS app_id,
    CASE WHEN CASE side WHEN 1 THEN waited_days ELSE last_waited_days END > 0 THEN 1 ELSE 0 END AS is_retried
FROM paired
UNION ALL
SELECT part, side, from_units, taken, units - taken, NULL, app_id, CASE WHEN waited_days > 0 THEN 1 ELSE 0 END
FROM steps
WHERE NOT is_told_twice
