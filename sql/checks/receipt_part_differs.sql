-- Documents inside another document that is no notification. The kind of an inner document is not checked, because
-- anyone can make an untrusted notification that contains any document.
SELECT 'part ' || receipt_part.part || ' of receipt ' || receipt_part.receipt_id || ' in ' || holder.kind AS offence
FROM receipt_part
JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
WHERE holder.kind <> 'notification'
