-- Parts whose holder is no notification. Of which kind a part is, its holder does not
-- decide: anyone can make an untrusted one that holds another.
SELECT 'part ' || receipt_part.part || ' of receipt ' || receipt_part.receipt_id || ' in ' || holder.kind AS offence
FROM receipt_part
JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
WHERE holder.kind <> 'notification'
