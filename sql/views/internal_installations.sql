-- Pairs of receipts of one installation of an app: receipts with the same opaque value and hash (their lineage),
-- whatever their verdicts.
--
-- Columns:
--   receipt_id        –  –  number of a receipt that states opaque value and hash
--   other_receipt_id  –  –  number of a receipt that states the same opaque value and hash; the receipt itself is among
--                           them
CREATE VIEW internal_installations AS
SELECT
    own.receipt_id,
    other.receipt_id AS other_receipt_id
FROM receipt AS own
JOIN receipt_lineage AS lineage ON lineage.hash_prefix = substr(own.device_hash, 1, 6)
JOIN receipt AS other
    ON other.receipt_id = lineage.receipt_id
    AND other.opaque_value = own.opaque_value
    AND other.device_hash = own.device_hash;
