-- Receipts of one installation of an app, each with each: those that share opaque value and hash (their lineage),
-- whatever their verdicts.
--
-- Columns:
--   receipt_id        –  –  a receipt that states both
--   other_receipt_id  –  –  a receipt that states the same, itself among them
CREATE VIEW model_installations AS
SELECT
    own.receipt_id,
    other.receipt_id AS other_receipt_id
FROM receipt AS own
JOIN receipt_lineage AS lineage ON lineage.hash_prefix = substr(own.device_hash, 1, 6)
JOIN receipt AS other
    ON other.receipt_id = lineage.receipt_id
    AND other.opaque_value = own.opaque_value
    AND other.device_hash = own.device_hash;
