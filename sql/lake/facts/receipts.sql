-- One row per archive and receipt in it; a receipt that is repeated often, or
-- far apart, may have several, which the table receipt makes one. Octets are
-- kept of receipts that may be verified again.
SELECT
    archive_sha256,
    unhex(receipt.sha256) AS sha256,
    receipt.kind AS kind,
    receipt.verdict AS verdict,
    receipt.verdict_detail AS verdict_detail,
    receipt.environment AS environment,
    receipt.bundle_id AS bundle_id,
    receipt.app_version AS app_version,
    receipt.app_version_key AS app_version_key,
    receipt.original_application_version AS original_application_version,
    receipt.original_application_version_key AS original_application_version_key,
    receipt.original_purchase_date_ms AS original_purchase_date,
    receipt.receipt_creation_date_ms AS receipt_creation_date,
    receipt.expiration_date_ms AS expiration_date,
    receipt.app_item_id AS app_item_id,
    receipt.version_external_identifier AS version_external_identifier,
    receipt.download_id AS download_id,
    receipt.digest_algorithm AS digest_algorithm,
    receipt.signer AS signer,
    unhex(receipt.opaque_value) AS opaque_value,
    unhex(receipt.device_hash) AS device_hash,
    receipt.purchase_count AS purchase_count,
    receipt.bytes AS bytes,
    receipt.undocumented_attributes AS undocumented_attributes,
    receipt.undocumented_purchase_attributes AS undocumented_purchase_attributes,
    receipt.unknown_members AS unknown_members,
    CASE WHEN receipt.kind = 'transaction_receipt' AND receipt.verdict <> 'trusted' THEN receipt.octets END AS octets
FROM decoded_statements
