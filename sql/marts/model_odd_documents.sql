-- Documents that are evidence of fraud by themselves, whoever presents them. docs/fraud.md explains each signal and its
-- innocent causes.
--
-- - Each failed verdict has a signal: forged_signature, foreign_root (xcode_receipt if the document states a local
--   store), missing_markers, broken_chain, unsupported_algorithm, not_valid_at_creation.
-- - A trusted document has a signal if its app is not set up, its version was not published, it is a sandbox document
--   of a production app, its version is older than the original version that it states, or its volume license has
--   ended.
-- - A trusted purchase has a signal if it was made after its document, or expires before it begins. Restores of 2013
--   and 2014 are left out: they state their own time as purchase date, which is innocent.
-- - A document created before a refund has a signal if it is presented long after the refund.
--
-- Grain: one row per signal, document and transaction
-- Key: receipt_id, signal, transaction_id
-- Kept: no
--
-- Columns:
--   signal          TEXT     –   kind of signal
--   severity        TEXT     –   severity of the signal: low, medium or high
--   receipt_id      INTEGER  –   the document, by the loader's number
--   transaction_id  TEXT     –   transaction that the signal is about; empty if none
--   shown_from_ms   INTEGER  ms  only lines submitted from this time on show the signal; null: all lines
--   event_ms        INTEGER  ms  time of the event that the signal is about: end of the license, purchase, or refund
--   other_ms        INTEGER  ms  time that the event contradicts: creation of the document, or expiration
--   words           TEXT     –   for signals about versions, the versions in words
WITH limits AS (
    SELECT
        max(CASE name WHEN 'clock_tolerance' THEN value END) * 1000 AS tolerance_ms,
        max(CASE name WHEN 'refund_reuse_days' THEN value END) * 86400000 AS reuse_ms
    FROM signal_settings
),

odd_apps AS (
    SELECT
        app.app_id,
        app.bundle_id,
        CASE
            WHEN app.environment NOT IN ('', 'Production', 'ProductionVPP')
                AND app.bundle_id IN (
                    SELECT bundle_id FROM model_apps
                    WHERE environment IN ('Production', 'ProductionVPP') AND bundle_id <> ''
                )
                THEN 1
            ELSE 0
        END AS is_sandbox,
        -- If no app is set up, none is unexpected.
        CASE
            WHEN app.bundle_id NOT IN (SELECT bundle_id FROM app_setting) AND EXISTS (SELECT 1 FROM app_setting) THEN 1
            ELSE 0
        END AS is_unexpected,
        CASE WHEN app.bundle_id IN (SELECT bundle_id FROM app_expected_version) THEN 1 ELSE 0 END AS has_versions,
        CASE WHEN app.environment IN ('Production', 'ProductionVPP') THEN 1 ELSE 0 END AS is_production
    FROM app
),

documents AS (
    SELECT
        receipt.receipt_id,
        receipt.expiration_date,
        version.version AS app_version,
        original.version AS original_version,
        odd_apps.is_sandbox,
        -- A renewal info names no app, so its app is not judged; among signed data only app transactions state the
        -- version, so that of other signed data is not judged.
        CASE WHEN receipt.kind NOT IN ('signed_renewal', 'realtime_request') THEN odd_apps.is_unexpected ELSE 0 END AS is_unexpected_app,
        CASE
            WHEN odd_apps.has_versions = 1
                AND receipt.kind NOT IN ('signed_transaction', 'signed_renewal', 'notification', 'realtime_request')
                AND published.version IS NULL
                THEN 1
            ELSE 0
        END AS is_unexpected_version,
        CASE WHEN odd_apps.is_production = 1 AND original.version_key > version.version_key THEN 1 ELSE 0 END AS is_backwards
    FROM receipt
    JOIN odd_apps ON odd_apps.app_id = receipt.app_id
    LEFT JOIN version ON version.version_id = receipt.app_version_id
    LEFT JOIN version AS original ON original.version_id = receipt.original_application_version_id
    LEFT JOIN app_expected_version AS published
        ON published.bundle_id = odd_apps.bundle_id
        AND published.version = version.version
    WHERE receipt.verdict = 'trusted'
        AND (
            receipt.expiration_date IS NOT NULL
            OR odd_apps.is_sandbox = 1
            OR odd_apps.is_unexpected = 1
            OR (odd_apps.has_versions = 1 AND published.version IS NULL)
            OR (
                receipt.original_application_version_id <> receipt.app_version_id
                AND original.version_key > version.version_key
            )
        )
),

purchases AS (
    SELECT
        purchase.receipt_id,
        CAST(purchase.transaction_id AS VARCHAR(255)) AS transaction_id,
        purchase.purchase_date,
        purchase.expires_date,
        purchase.as_of,
        purchase.original_purchase_date
    FROM purchase
    WHERE purchase.purchase_date > purchase.as_of
        OR purchase.expires_date < purchase.purchase_date
)

SELECT
    CASE receipt.verdict
        WHEN 'bad_signature' THEN 'forged_signature'
        WHEN 'wrong_purpose' THEN 'missing_markers'
        WHEN 'untrusted_root'
            THEN CASE WHEN app.environment IN ('Xcode', 'LocalTesting') THEN 'xcode_receipt' ELSE 'foreign_root' END
        ELSE receipt.verdict
    END AS signal,
    CASE
        WHEN receipt.verdict IN ('bad_signature', 'wrong_purpose') THEN 'high'
        WHEN receipt.verdict = 'untrusted_root' AND app.environment NOT IN ('Xcode', 'LocalTesting') THEN 'high'
        -- Receipts of iOS 6 do not contain the intermediate certificate: without --intermediate, all of them lack it.
        WHEN receipt.verdict = 'broken_chain' AND receipt.kind <> 'transaction_receipt' THEN 'medium'
        ELSE 'low'
    END AS severity,
    receipt.receipt_id,
    '' AS transaction_id,
    CAST(NULL AS BIGINT) AS shown_from_ms,
    CAST(NULL AS BIGINT) AS event_ms,
    CAST(NULL AS BIGINT) AS other_ms,
    CAST(NULL AS VARCHAR(255)) AS words
FROM receipt
JOIN app ON app.app_id = receipt.app_id
WHERE receipt.verdict <> 'trusted'
UNION ALL
SELECT 'sandbox_receipt', 'low', receipt_id, '', NULL, NULL, NULL, NULL
FROM documents
WHERE is_sandbox = 1
UNION ALL
SELECT 'unexpected_bundle', 'high', receipt_id, '', NULL, NULL, NULL, NULL
FROM documents
WHERE is_unexpected_app = 1
UNION ALL
SELECT
    'unexpected_version', 'medium', receipt_id, '', NULL, NULL, NULL,
    'version ' || coalesce(app_version, '(none)') || ' is none of those published'
FROM documents
WHERE is_unexpected_version = 1
UNION ALL
SELECT
    'original_version_newer', 'low', receipt_id, '', NULL, NULL, NULL,
    'first got as ' || original_version || ', now ' || app_version
FROM documents
WHERE is_backwards = 1
UNION ALL
SELECT 'volume_license_expired', 'medium', receipt_id, '', expiration_date, expiration_date, NULL, NULL
FROM documents
WHERE expiration_date IS NOT NULL
UNION ALL
SELECT
    'purchase_after_creation', 'medium', receipt.receipt_id, purchases.transaction_id, NULL, purchases.purchase_date,
    receipt.receipt_creation_date, NULL
FROM purchases
JOIN limits ON purchases.purchase_date > purchases.as_of + limits.tolerance_ms
JOIN receipt ON receipt.receipt_id = purchases.receipt_id
UNION ALL
SELECT
    'expiry_before_purchase', 'medium', receipt_id, transaction_id, NULL, purchase_date, expires_date, NULL
FROM purchases
WHERE expires_date < purchase_date
    AND NOT (coalesce(original_purchase_date, purchase_date) < expires_date AND purchase_date < 1420070400000)
UNION ALL
SELECT
    'refunded_yet_used', 'medium', receipt.receipt_id, CAST(purchase.transaction_id AS VARCHAR(255)),
    sale.refund_ms + limits.reuse_ms, sale.refund_ms, NULL, NULL
FROM model_sales AS sale
JOIN purchase ON purchase.purchase_id = sale.purchase_id
JOIN receipt AS source ON source.receipt_id = purchase.receipt_id
JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
JOIN receipt ON receipt.receipt_id = stated.receipt_id AND receipt.app_id = sale.app_id
JOIN limits ON 1 = 1
WHERE sale.refund_ms IS NOT NULL
    -- After a partial refund, the rest may still be used, so only canceled purchases count.
    AND sale.canceled_ms IS NOT NULL
    -- Without coalesce, SQLite would index all documents by verdict first.
    AND coalesce(receipt.verdict, '') = 'trusted'
    AND receipt.receipt_id <> source.receipt_id
    -- A document that states no creation date states one transaction and was made with it. For two such documents it is
    -- unknown which is older, so they are left out.
    AND coalesce(receipt.receipt_creation_date, 0) < sale.refund_ms
    AND coalesce(receipt.receipt_creation_date, source.receipt_creation_date) IS NOT NULL
