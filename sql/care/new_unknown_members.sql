-- Members of signed documents that this version does not know and that no document up to the receipt ?1 states; if ?1
-- is null, up to the last receipt before the run ?2.
SELECT path || ' (' || value_type || ') in ' || kind AS member
FROM (
    SELECT kind, unknown_set_id, min(receipt_id) AS first_id
    FROM receipt
    WHERE unknown_set_id IS NOT NULL
    GROUP BY unknown_set_id, kind
) AS stated
JOIN unknown_set_member USING (unknown_set_id)
GROUP BY kind, path, value_type
HAVING min(first_id) > coalesce(?1, (SELECT last_receipt FROM run WHERE run_id = ?2))
