-- Records the retraction of the archives in temp.retracted at the time ?1, before they are deleted, and removes other
-- archives' references to them.

INSERT INTO retraction (retracted_at, name, sha256, lines, loaded_lines, pruned_lines)
SELECT ?1, name, sha256, lines, loaded_lines, pruned_lines
FROM archive
WHERE archive_id IN (SELECT archive_id FROM temp.retracted)
ORDER BY archive_id;
UPDATE archive SET repeated_in = NULL WHERE repeated_in IN (SELECT archive_id FROM temp.retracted);
-- New receipts reuse the numbers of deleted ones, and no run has reviewed them.
UPDATE run SET last_receipt = (SELECT coalesce(max(receipt_id), 0) FROM receipt)
WHERE last_receipt > (SELECT coalesce(max(receipt_id), 0) FROM receipt);
