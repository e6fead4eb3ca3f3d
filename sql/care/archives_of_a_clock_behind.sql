-- Archives are numbered in the order of loading: one that was loaded more than :gap before an earlier one was loaded by a
-- clock that was behind. Times after :now are of a clock that was ahead, and say nothing of other archives.

SELECT archive_id
FROM (
    SELECT archive_id, first_loaded_at, completed_at,
        max(iif(first_loaded_at <= :now, first_loaded_at, 0)) OVER (
            ORDER BY archive_id ROWS UNBOUNDED PRECEDING) AS latest
    FROM archive
)
WHERE min(first_loaded_at, coalesce(completed_at, first_loaded_at)) < latest - :gap;
