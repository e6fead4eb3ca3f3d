-- Parts whose holder is no notification, or which are of another kind than their
-- place.
SELECT 'part ' || receipt_part.part || ' of receipt ' || receipt_part.receipt_id || ': ' || part.kind || ' in '
    || holder.kind AS offence
FROM receipt_part
JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
JOIN receipt AS part ON part.receipt_id = receipt_part.part_receipt_id
WHERE holder.kind <> 'notification'
    OR part.kind <> CASE receipt_part.part
        WHEN 'transaction' THEN 'signed_transaction'
        WHEN 'renewal' THEN 'signed_renewal'
        ELSE 'app_transaction'
    END
