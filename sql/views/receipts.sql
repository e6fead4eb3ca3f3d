-- One row per distinct receipt, whatever its verdict.
--
-- Columns:
--   receipt_sha256                    –      –                   SHA-256 of the receipt's bytes
--   kind                              –      –                   kind of document: `app_receipt`, `transaction_receipt`
--                                                                of iOS 6 and before, or signed data:
--                                                                `signed_transaction`, `signed_renewal`,
--                                                                `app_transaction`, `notification`, `realtime_request`
--   verdict                           –      –                   trusted, or why the receipt is not trusted; see
--                                                                docs/trust.md
--   environment                       –      attribute 0         environment that the receipt states: `Production`,
--                                                                `ProductionSandbox`, `ProductionVPP`,
--                                                                `ProductionVPPSandbox`, `Xcode`, …; transaction
--                                                                receipts have `Sandbox` if their number or a field
--                                                                shows it, else `Production`
--   bundle_id                         –      attribute 2         bundle identifier of the app
--   app_version                       –      attribute 3         version of the app that the receipt states
--   original_application_version      –      attribute 19        original version of the app, which the customer first
--                                                                obtained: build number on iOS, short version on macOS
--   original_application_version_key  –      attribute 19        original_application_version as text that sorts
--   original_purchase_date            time   attribute 18        when the customer first obtained the app
--   receipt_creation_date             time   attribute 12        when the store created the receipt; null for
--                                                                transaction receipts
--   expiration_date                   time   attribute 21        end of a volume license
--   app_item_id                       –      attribute 1         the store's number of the app
--   version_external_identifier       –      attribute 16        the store's number of the app's version
--   download_id                       –      attribute 15        the store's number of the download
--   digest_algorithm                  –      –                   `sha1`, `sha256`, or the name of a refused algorithm
--   signer                            –      –                   subject of the signing certificate (RFC 2253); null if
--                                                                the certificate is missing
--   lineage                           –      attributes 4, 5     identifies the installation: attributes 4 and 5 in
--                                                                hexadecimal, joined by a hyphen; null if either is
--                                                                absent
--   purchase_count                    –      –                   number of purchases in the receipt
--   bytes                             bytes  –                   size of the receipt
--   receipt_number                    –      –                   the receipt's number in this database alone
--   original_platform                 –      `originalPlatform`  of an app transaction: platform on which the customer
--                                                                first obtained the app
--   store_type                        –      `storeType`         of an app transaction: `CONSUMER`, or a store for
--                                                                organizations
--   preorder_date                     time   `preorderDate`      of an app transaction: when the app was preordered
--   revocation_date                   time   `revocationDate`    of an app transaction: when the store revoked the
--                                                                customer's purchase of the app
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
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN receipt.original_purchase_date >= 0 THEN receipt.original_purchase_date END / 1000, 'unixepoch')
        AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN receipt.receipt_creation_date >= 0 THEN receipt.receipt_creation_date END / 1000, 'unixepoch')
        AS receipt_creation_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN receipt.expiration_date >= 0 THEN receipt.expiration_date END / 1000, 'unixepoch') AS expiration_date,
    receipt.app_item_id,
    receipt.version_external_identifier,
    receipt.download_id,
    receipt.digest_algorithm,
    signer.subject AS signer,
    -- hex() turns null into an empty text, so null is excluded first.
    CASE
        WHEN receipt.opaque_value IS NOT NULL AND receipt.device_hash IS NOT NULL
            THEN lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash))
    END AS lineage,
    receipt.purchase_count,
    receipt.bytes,
    receipt.receipt_id AS receipt_number,
    app_transaction.original_platform,
    app_transaction.store_type,
    strftime('%Y-%m-%dT%H:%M:%SZ', app_transaction.preorder_date / 1000, 'unixepoch') AS preorder_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', app_transaction.revocation_date / 1000, 'unixepoch') AS revocation_date
FROM receipt
JOIN app USING (app_id)
LEFT JOIN version AS app_version ON app_version.version_id = receipt.app_version_id
LEFT JOIN version AS original_version
    ON original_version.version_id = receipt.original_application_version_id
LEFT JOIN signer USING (signer_id)
LEFT JOIN app_transaction ON app_transaction.receipt_id = receipt.receipt_id;
