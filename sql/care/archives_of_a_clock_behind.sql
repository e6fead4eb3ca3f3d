-- Archives that were loaded while the clock was behind. Archives are numbered in the order of loading, so the clock was
-- behind if an archive's time is more than :gap before that of an earlier one. Times after :now come from a clock that
-- was ahead, and are ignored for other archives.

SELECT archive_id
FROM (
    SELECT archive_id, first_loaded_at, completed_at,
        max(iif(first_loaded_at <= :now, first_loaded_at, 0)) OVER (
            ORDER BY archive_id ROWS UNBOUNDED PRECEDING) AS latest
    FROM archive
)
WHERE min(first_loaded_at, coalesce(completed_at, first_loaded_at)) < latest - :gap;
