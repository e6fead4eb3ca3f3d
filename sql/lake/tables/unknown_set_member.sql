SELECT unknown_set_id, member.path AS path, member.value_type AS value_type
FROM (
    SELECT unknown_set_id, explode(unknown_set_id) AS member
    FROM (
        SELECT DISTINCT unknown_members AS unknown_set_id
        FROM verified_receipts
        WHERE verdict = 'trusted'
            AND unknown_members IS NOT NULL
    ) AS sets
) AS members
