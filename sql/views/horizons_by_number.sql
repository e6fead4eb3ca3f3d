-- Until when subscriptions are known by documents of their own, by number: what subscription_horizons shows with
-- names, beside what the app's notifications tell.
--
-- Columns:
--   original_number  –                        –  the original transaction, as the loader keeps it
--   app_number       –                        –  the app's number in this database alone
--   known_ms         milliseconds since 1970  –  until when its documents and its owners' tell of it
--   bound_ms         milliseconds since 1970  –  before which it is known at most, since what followed is not; else null
CREATE VIEW horizons_by_number AS
WITH presented AS (
    SELECT
        receipt_id,
        coalesce(account_id, device_id) AS owner,
        account_id IS NULL AS is_device
    FROM submission
    WHERE device_check <> 'mismatch'
        AND coalesce(account_id, device_id) IS NOT NULL
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        coalesce(submission.account_id, submission.device_id),
        submission.account_id IS NULL
    FROM receipt_part
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

-- What each owner presented of each app.
owned AS (
    SELECT presented.receipt_id, presented.owner, presented.is_device, receipt.app_id, receipt.receipt_creation_date
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.kind <> 'signed_renewal'
),

-- The owner's newest, by what each presented: receipts list many purchases, and names take long to compare.
newest AS (
    SELECT receipt_id, app_id, max(created_ms) AS created_ms
    FROM (
        SELECT
            receipt_id,
            app_id,
            max(receipt_creation_date) OVER (PARTITION BY owner, is_device, app_id) AS created_ms
        FROM owned
    ) AS seen
    GROUP BY receipt_id, app_id
),

period AS (
    SELECT
        transaction_id,
        app_id,
        coalesce(original_transaction_id, transaction_id) AS original_number,
        expires_date,
        as_of
    FROM purchase
    WHERE expires_date IS NOT NULL
),

known AS (
    SELECT app_id, original_number, as_of AS known_ms, expires_date AS last_ms, CAST(NULL AS BIGINT) AS renewed_ms
    FROM period
    UNION ALL
    SELECT period.app_id, period.original_number, max(newest.created_ms), NULL, NULL
    FROM period
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = period.transaction_id
    CROSS JOIN newest
        ON newest.receipt_id = receipt_purchase.receipt_id
        AND newest.app_id = period.app_id
    GROUP BY period.original_number, period.app_id
    UNION ALL
    SELECT
        period.app_id,
        period.original_number,
        max(renewal.signed_at),
        NULL,
        max(CASE
            WHEN renewal.auto_renew_status = 1
                AND renewal.expiration_intent IS NULL
                AND coalesce(renewal.is_in_billing_retry, 0) = 0
                THEN renewal.renewal_date
        END)
    FROM renewal
    CROSS JOIN app ON app.environment = renewal.environment
    CROSS JOIN period
        ON period.original_number = renewal.original_transaction_id
        AND period.app_id = app.app_id
    GROUP BY period.original_number, period.app_id
    UNION ALL
    SELECT upgraded.app_id, coalesce(upgraded.original_transaction_id, upgraded.transaction_id), NULL, NULL, 1 << 62
    FROM purchase_terms AS terms
    CROSS JOIN purchase AS upgraded
        ON upgraded.transaction_id = terms.transaction_id
        AND upgraded.app_id = terms.app_id
    WHERE terms.is_upgraded = 1
        AND terms.verdict = 'trusted'
        AND upgraded.expires_date IS NOT NULL
        AND NOT EXISTS (
            SELECT 1 FROM purchase AS later
            WHERE later.app_id = upgraded.app_id
                AND later.original_transaction_id = coalesce(upgraded.original_transaction_id, upgraded.transaction_id)
                AND later.purchase_date > upgraded.purchase_date
        )
)

SELECT
    original_number,
    app_id AS app_number,
    known_ms,
    -- Periods that follow one another overlap or leave gaps by up to an hour.
    CASE WHEN renewed_ms > last_ms + 3600000 THEN last_ms - 1 END AS bound_ms
FROM (
    SELECT
        app_id,
        original_number,
        max(known_ms) AS known_ms,
        max(last_ms) AS last_ms,
        max(renewed_ms) AS renewed_ms
    FROM known
    GROUP BY original_number, app_id
) AS latest;
