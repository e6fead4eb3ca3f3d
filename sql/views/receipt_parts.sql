-- One row per signed document inside another document, such as a notification, whatever the verdicts of the two. The
-- inner document is also a receipt of its own. Whoever presented the outer document presented it, too.
--
-- Columns:
--   receipt_sha256  –  –  SHA-256 of the outer document
--   part            –  –  what the inner document is: `transaction`, `renewal` or `app_transaction`
--   part_sha256     –  –  SHA-256 of the inner document
CREATE VIEW receipt_parts AS
SELECT
    lower(hex(holder.sha256)) AS receipt_sha256,
    receipt_part.part,
    lower(hex(part.sha256)) AS part_sha256
FROM receipt_part
JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
JOIN receipt AS part ON part.receipt_id = receipt_part.part_receipt_id;
