-- Each receipt once. Archives that were decoded with other anchors or issuers may have another verdict for it: trusted
-- precedes other verdicts, then the first archive counts.
SELECT
    receipt_key(sha256) AS receipt_id,
    sha256,
    kind,
    verdict,
    verdict_detail,
    app_key(environment, bundle_id) AS app_id,
    number_key(app_version) AS app_version_id,
    number_key(original_application_version) AS original_application_version_id,
    original_purchase_date,
    receipt_creation_date,
    expiration_date,
    app_item_id,
    version_external_identifier,
    download_id,
    digest_algorithm,
    signer AS signer_id,
    opaque_value,
    device_hash,
    purchase_count,
    bytes,
    -- The text of a set of types or members serves as its number.
    CASE WHEN verdict = 'trusted' THEN undocumented_attributes END AS attribute_set_id,
    CASE WHEN verdict = 'trusted' THEN undocumented_purchase_attributes END AS purchase_attribute_set_id,
    CASE WHEN verdict = 'trusted' THEN unknown_members END AS unknown_set_id,
    archive_sha256
FROM (
    SELECT
        *,
        row_number() OVER (
            PARTITION BY sha256 ORDER BY CASE WHEN verdict = 'trusted' THEN 0 ELSE 1 END, archive_sha256
        ) AS choice
    FROM verified_receipts
)
WHERE choice = 1
