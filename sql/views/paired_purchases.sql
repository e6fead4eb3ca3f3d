-- One row per pair of purchases with the same transaction that may be one: of one app
-- in two environments, where one of these is unknown or a volume purchase's beside its
-- own; or of two apps in one environment. The purchases view counts both. What each
-- says is the word of the document that counts there; newer is the document created
-- last, of those created at once the one of the greater SHA-256.
--
-- Columns:
--   transaction_id             –                   attribute 1703  the transaction
--   newer_environment          –                   attribute 0     environment, by the newer document
--   newer_bundle_id            –                   attribute 2     app, by the newer document
--   newer_receipt_sha256       –                   –               the newer document
--   newer_kind                 –                   –               its kind, by the newer document
--   newer_creation_date        time                –               when it was created, by the newer document
--   newer_product_id           –                   attribute 1702  product, by the newer document
--   newer_quantity             –                   attribute 1701  how many, by the newer document
--   newer_purchase_date        time                attribute 1704  when it was bought, by the newer document
--   newer_purchase_second      seconds since 1970  attribute 1704  the same
--   newer_expires_date         time                attribute 1708  end of the period, by the newer document
--   newer_expiry_second        seconds since 1970  attribute 1708  the same
--   newer_cancellation_date    time                attribute 1712  when it was canceled, by the newer document
--   newer_cancellation_second  seconds since 1970  attribute 1712  the same
--   older_environment          –                   attribute 0     environment, by the older document
--   older_bundle_id            –                   attribute 2     app, by the older document
--   older_receipt_sha256       –                   –               the older document
--   older_kind                 –                   –               its kind, by the older document
--   older_creation_date        time                –               when it was created, by the older document
--   older_product_id           –                   attribute 1702  product, by the older document
--   older_quantity             –                   attribute 1701  how many, by the older document
--   older_purchase_date        time                attribute 1704  when it was bought, by the older document
--   older_purchase_second      seconds since 1970  attribute 1704  the same
--   older_expires_date         time                attribute 1708  end of the period, by the older document
--   older_expiry_second        seconds since 1970  attribute 1708  the same
--   older_cancellation_date    time                attribute 1712  when it was canceled, by the older document
--   older_cancellation_second  seconds since 1970  attribute 1712  the same
CREATE VIEW paired_purchases AS
SELECT
    CAST(newer.transaction_id AS TEXT) AS transaction_id,
    nullif(newer_app.environment, '') AS newer_environment,
    nullif(newer_app.bundle_id, '') AS newer_bundle_id,
    lower(hex(newer_receipt.sha256)) AS newer_receipt_sha256,
    newer_receipt.kind AS newer_kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', newer.as_of / 1000, 'unixepoch') AS newer_creation_date,
    newer_product.product_id AS newer_product_id,
    coalesce(newer.quantity, 1) AS newer_quantity,
    strftime('%Y-%m-%dT%H:%M:%SZ', newer.purchase_date / 1000, 'unixepoch') AS newer_purchase_date,
    newer.purchase_date / 1000 AS newer_purchase_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', newer.expires_date / 1000, 'unixepoch') AS newer_expires_date,
    newer.expires_date / 1000 AS newer_expiry_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', newer.cancellation_date / 1000, 'unixepoch') AS newer_cancellation_date,
    newer.cancellation_date / 1000 AS newer_cancellation_second,
    nullif(older_app.environment, '') AS older_environment,
    nullif(older_app.bundle_id, '') AS older_bundle_id,
    lower(hex(older_receipt.sha256)) AS older_receipt_sha256,
    older_receipt.kind AS older_kind,
    strftime('%Y-%m-%dT%H:%M:%SZ', older.as_of / 1000, 'unixepoch') AS older_creation_date,
    older_product.product_id AS older_product_id,
    coalesce(older.quantity, 1) AS older_quantity,
    strftime('%Y-%m-%dT%H:%M:%SZ', older.purchase_date / 1000, 'unixepoch') AS older_purchase_date,
    older.purchase_date / 1000 AS older_purchase_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', older.expires_date / 1000, 'unixepoch') AS older_expires_date,
    older.expires_date / 1000 AS older_expiry_second,
    strftime('%Y-%m-%dT%H:%M:%SZ', older.cancellation_date / 1000, 'unixepoch') AS older_cancellation_date,
    older.cancellation_date / 1000 AS older_cancellation_second
FROM (
    -- Few transactions stand in two apps; in one they stand once.
    SELECT transaction_id
    FROM purchase
    GROUP BY transaction_id
    HAVING count(*) > 1
) AS several
CROSS JOIN purchase AS newer ON newer.transaction_id = several.transaction_id
CROSS JOIN purchase AS older
    ON older.transaction_id = newer.transaction_id
    AND older.app_id <> newer.app_id
JOIN receipt AS newer_receipt ON newer_receipt.receipt_id = newer.receipt_id
JOIN receipt AS older_receipt ON older_receipt.receipt_id = older.receipt_id
JOIN app AS newer_app ON newer_app.app_id = newer.app_id
JOIN app AS older_app ON older_app.app_id = older.app_id
LEFT JOIN product AS newer_product ON newer_product.product_number = newer.product_number
LEFT JOIN product AS older_product ON older_product.product_number = older.product_number
WHERE (newer.as_of, newer_receipt.sha256) > (older.as_of, older_receipt.sha256)
    AND (
        (
            newer_app.bundle_id <> older_app.bundle_id
            AND newer_app.environment = older_app.environment
        )
        OR (
            newer_app.bundle_id = older_app.bundle_id
            AND (
                newer_app.environment = ''
                OR older_app.environment = ''
                OR (newer_app.environment = 'Production' AND older_app.environment = 'ProductionVPP')
                OR (newer_app.environment = 'ProductionVPP' AND older_app.environment = 'Production')
                OR (newer_app.environment = 'ProductionSandbox' AND older_app.environment = 'ProductionVPPSandbox')
                OR (newer_app.environment = 'ProductionVPPSandbox' AND older_app.environment = 'ProductionSandbox')
            )
        )
    );
