SELECT
    attribute_set_id,
    explode(attribute_set_id) AS attribute_type
FROM (
    SELECT undocumented_attributes AS attribute_set_id
    FROM verified_receipts
    WHERE verdict = 'trusted'
        AND undocumented_attributes IS NOT NULL
    UNION
    SELECT undocumented_purchase_attributes
    FROM verified_receipts
    WHERE verdict = 'trusted'
        AND undocumented_purchase_attributes IS NOT NULL
)
