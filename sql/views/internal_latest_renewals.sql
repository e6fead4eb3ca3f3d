-- One row per subscription with a trusted renewal info: the one signed last; of those signed at the same time, the one
-- with the greater SHA-256. Renewal infos name no app. The app is the first that is known of these:
-- - the app of the trusted transaction beside the renewal info in a notification
-- - the app of the trusted notification
-- - the app of the subscription's purchases
-- - the app of another renewal info of the subscription, by the same rules
--
-- Columns:
--   receipt_id               –                        –                        the renewal info's number in this
--                                                                              database alone
--   environment              –                        `environment`            environment that the renewal info
--                                                                              states, as the loader stores it: empty
--                                                                              if absent
--   original_transaction_id  –                        `originalTransactionId`  original transaction of the
--                                                                              subscription, as the loader stores it
--   signed_at                milliseconds since 1970  `signedDate`             when the store signed the renewal info
--   bundle_id                –                        –                        bundle identifier of the app; null if
--                                                                              unknown
CREATE VIEW internal_latest_renewals AS
WITH came AS (
    SELECT
        renewal.receipt_id,
        renewal.environment,
        renewal.original_transaction_id,
        min(CASE WHEN beside.verdict = 'trusted' THEN nullif(beside_app.bundle_id, '') END) AS transaction_bundle_id,
        min(CASE WHEN holder.verdict = 'trusted' THEN nullif(holder_app.bundle_id, '') END) AS holder_bundle_id
    FROM receipt_part
    CROSS JOIN renewal
    CROSS JOIN receipt AS holder
    CROSS JOIN app AS holder_app
    LEFT JOIN receipt_part AS beside_part
        ON beside_part.receipt_id = receipt_part.receipt_id
        AND beside_part.part = 'transaction'
    LEFT JOIN receipt AS beside ON beside.receipt_id = beside_part.part_receipt_id
    LEFT JOIN app AS beside_app ON beside_app.app_id = beside.app_id
    WHERE receipt_part.part = 'renewal'
        AND renewal.receipt_id = receipt_part.part_receipt_id
        AND holder.receipt_id = receipt_part.receipt_id
        AND holder_app.app_id = holder.app_id
    GROUP BY renewal.receipt_id, renewal.environment, renewal.original_transaction_id
),

latest AS (
    SELECT receipt_id, environment, original_transaction_id, signed_at
    FROM (
        SELECT
            renewal.receipt_id,
            renewal.environment,
            renewal.original_transaction_id,
            renewal.signed_at,
            row_number() OVER (
                PARTITION BY renewal.original_transaction_id, renewal.environment
                ORDER BY renewal.signed_at DESC, receipt.sha256 DESC
            ) AS place
        FROM renewal
        CROSS JOIN receipt
        WHERE receipt.receipt_id = renewal.receipt_id
    ) AS signed
    WHERE place = 1
),

-- Few renewal infos get no app from a notification; purchases are looked up for these.
apart AS (
    SELECT latest.receipt_id, latest.environment, latest.original_transaction_id
    FROM latest
    LEFT JOIN came ON came.receipt_id = latest.receipt_id
    WHERE came.transaction_bundle_id IS NULL
        AND came.holder_bundle_id IS NULL
),

bought AS (
    SELECT
        receipt_id,
        min(CASE WHEN is_copy = 1 THEN bundle_id END) AS copy_bundle_id,
        min(bundle_id) AS bundle_id
    FROM (
        SELECT
            apart.receipt_id,
            app.bundle_id,
            CASE WHEN purchase.original_transaction_id = apart.original_transaction_id THEN 1 ELSE 0 END AS is_copy
        FROM apart
        CROSS JOIN purchase
        CROSS JOIN app
        WHERE app.bundle_id <> ''
            AND app.app_id = purchase.app_id
            AND app.environment = apart.environment
            AND (
                purchase.original_transaction_id = apart.original_transaction_id
                OR purchase.transaction_id = apart.original_transaction_id
            )
    ) AS told
    GROUP BY receipt_id
)

SELECT
    latest.receipt_id,
    latest.environment,
    latest.original_transaction_id,
    latest.signed_at,
    coalesce(
        own.transaction_bundle_id, own.holder_bundle_id, bought.copy_bundle_id, bought.bundle_id, other.bundle_id
    ) AS bundle_id
FROM latest
LEFT JOIN came AS own ON own.receipt_id = latest.receipt_id
LEFT JOIN bought ON bought.receipt_id = latest.receipt_id
LEFT JOIN (
    SELECT
        environment,
        original_transaction_id,
        min(coalesce(transaction_bundle_id, holder_bundle_id)) AS bundle_id
    FROM came
    GROUP BY environment, original_transaction_id
) AS other
    ON other.original_transaction_id = latest.original_transaction_id
    AND other.environment = latest.environment;
