-- Lists in erased_subject the receipts and installations of which nothing is left.

DROP TABLE IF EXISTS temp.erased_subject;
CREATE TEMP TABLE erased_subject (subject_kind TEXT, subject TEXT, PRIMARY KEY (subject_kind, subject));
INSERT INTO temp.erased_subject
SELECT DISTINCT 'receipt', lower(hex(receipt_sha256)) FROM erased_presentation
WHERE receipt_sha256 NOT IN (SELECT sha256 FROM receipt);
INSERT INTO temp.erased_subject
SELECT 'installation', gone.lineage FROM temp.erased_installation AS gone
WHERE NOT EXISTS (
    SELECT 1 FROM receipt_lineage AS other JOIN receipt USING (receipt_id)
    WHERE other.hash_prefix = substr(gone.device_hash, 1, 6)
        AND receipt.opaque_value = gone.opaque_value AND receipt.device_hash = gone.device_hash);
