SELECT DISTINCT
    app_key(environment, bundle_id) AS app_id,
    coalesce(environment, '') AS environment,
    coalesce(bundle_id, '') AS bundle_id
FROM verified_receipts
