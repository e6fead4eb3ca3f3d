-- One row per signed document that stands inside another, whatever the verdicts of
-- the two: what a notification holds. The part is a receipt of its own, and is
-- presented by whoever presented the document that holds it.
--
-- Columns:
--   receipt_sha256  –  –  the document that holds it
--   part            –  –  `transaction`, `renewal` or `app_transaction`
--   part_sha256     –  –  the part
CREATE VIEW receipt_parts AS
SELECT
    lower(hex(holder.sha256)) AS receipt_sha256,
    receipt_part.part,
    lower(hex(part.sha256)) AS part_sha256
FROM receipt_part
JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
JOIN receipt AS part ON part.receipt_id = receipt_part.part_receipt_id;
