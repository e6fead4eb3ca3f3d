-- Untrusted receipts whose undocumented attributes or unknown members are kept.
SELECT 'receipt ' || receipt_id AS offence
FROM receipt
WHERE verdict <> 'trusted'
    AND (attribute_set_id IS NOT NULL OR purchase_attribute_set_id IS NOT NULL OR unknown_set_id IS NOT NULL)
