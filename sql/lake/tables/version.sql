SELECT
    number_key(app_version) AS version_id,
    app_version AS version,
    app_version_key AS version_key
FROM verified_receipts
WHERE app_version IS NOT NULL
UNION
SELECT
    number_key(original_application_version),
    original_application_version,
    original_application_version_key
FROM verified_receipts
WHERE original_application_version IS NOT NULL
