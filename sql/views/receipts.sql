-- One row per distinct receipt, whatever its verdict.
CREATE VIEW receipts AS
SELECT
    lower(hex(receipt.sha256)) AS receipt_sha256,
    receipt.kind,
    receipt.verdict,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    app_version.version AS app_version,
    original_version.version AS original_application_version,
    original_version.version_key AS original_application_version_key,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.original_purchase_date / 1000, 'unixepoch')
        AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.receipt_creation_date / 1000, 'unixepoch')
        AS receipt_creation_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', receipt.expiration_date / 1000, 'unixepoch') AS expiration_date,
    receipt.app_item_id,
    receipt.version_external_identifier,
    receipt.download_id,
    receipt.digest_algorithm,
    signer.subject AS signer,
    lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash)) AS lineage,
    receipt.purchase_count,
    receipt.bytes
FROM receipt
JOIN app USING (app_id)
LEFT JOIN version AS app_version ON app_version.version_id = receipt.app_version_id
LEFT JOIN version AS original_version
    ON original_version.version_id = receipt.original_application_version_id
LEFT JOIN signer USING (signer_id);
