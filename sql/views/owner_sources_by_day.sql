-- Owners of an app, those of app_owners, counted by the day on which they were first seen and by what they are known by.
--
-- Columns:
--   app_number      –                –     the app's number in this database alone
--   first_seen_day  days since 1970  line  day on which they first presented a document; null where nothing dates it
--   source          –                –     `receipts`: they presented receipts alone; `signed`: signed data alone; `both`
--   owners          owners           –     how many
CREATE VIEW owner_sources_by_day AS
SELECT
    app_number,
    nullif(said / 4, 1 << 30) - 1000000 AS first_seen_day,
    CASE said % 4 WHEN 0 THEN 'receipts' WHEN 1 THEN 'both' ELSE 'signed' END AS source,
    count(*) AS owners
FROM (
    SELECT
        app_id AS app_number,
        min(said) / 2 * 4 + min(said % 2) + max(said % 2) AS said
    FROM (
        SELECT
            coalesce(submission.account_id, submission.device_id) AS owner,
            submission.account_id IS NULL AS is_device,
            receipt.app_id,
            -- Day, counted from a million before 1970, and source: one number sorts faster than a time and a text.
            coalesce(
                (coalesce(submission.submitted_at, receipt.receipt_creation_date) + (SELECT ms FROM zone_offset))
                / 86400000 + 1000000, 1 << 30
            ) * 2 + CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 0 ELSE 1 END AS said
        FROM submission
        CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
        WHERE submission.device_check <> 'mismatch'
            AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
            AND receipt.verdict = 'trusted'
            AND receipt.kind <> 'signed_renewal'
        UNION ALL
        SELECT
            coalesce(submission.account_id, submission.device_id),
            submission.account_id IS NULL,
            receipt.app_id,
            coalesce(
                (
                    coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date)
                    + (SELECT ms FROM zone_offset)
                ) / 86400000 + 1000000, 1 << 30
            ) * 2 + CASE WHEN receipt.kind IN ('app_receipt', 'transaction_receipt') THEN 0 ELSE 1 END
        FROM receipt_part
        CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
        CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
        CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
        WHERE submission.device_check <> 'mismatch'
            AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
            AND receipt.verdict = 'trusted'
            AND receipt.kind <> 'signed_renewal'
        LIMIT -1
    ) AS shown
    GROUP BY owner, is_device, app_id
) AS owned
GROUP BY said, app_number;
