-- Sets of attribute types whose members differ from the list in the column types.
SELECT 'attribute set ' || attribute_set_id || ': ' || types AS offence
FROM attribute_set AS stated
WHERE types IS NOT (
    SELECT group_concat(attribute_type, ',')
    FROM (
        SELECT attribute_type
        FROM attribute_set_member AS member
        WHERE member.attribute_set_id = stated.attribute_set_id
        ORDER BY attribute_type
    )
)
