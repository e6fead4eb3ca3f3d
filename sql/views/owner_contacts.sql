-- One row per owner of an app in an environment: by which account and device to reach
-- them, and when they were last seen. Owners as in app_owners; a document that stands
-- inside another is presented with that, and what another device than its own
-- presented proves nothing.
--
-- Columns:
--   environment   –                        attribute 0  of the owner's documents
--   bundle_id     –                        attribute 2  of the owner's documents
--   owner         –                        line         as in app_owners
--   owner_kind    –                        –            `account` or `device`
--   account_id    –                        line         the account, as the lines write it; null where none is known
--   device_id     –                        line         the device that the owner presented from last; null where none is
--                                                       known
--   last_seen     time                     line         when the owner presented a document last; of a line without a
--                                                       time, when the store created the document
--   last_seen_ms  milliseconds since 1970  line         the same as a number
--   app_number    –                        –            the app's number in this database alone, to count by
CREATE VIEW owner_contacts AS
WITH presented AS (
    SELECT receipt_id, account_id, device_id, submitted_at
    FROM submission
    WHERE device_check <> 'mismatch'
        AND coalesce(account_id, device_id) IS NOT NULL
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        submission.account_id,
        submission.device_id,
        coalesce(submission.submitted_at, holder.receipt_creation_date)
    FROM receipt_part
    CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
    CROSS JOIN submission ON submission.receipt_id = holder.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

placed AS (
    SELECT
        receipt.app_id,
        coalesce(presented.account_id, presented.device_id) AS owner,
        presented.account_id,
        presented.device_id,
        max(coalesce(presented.submitted_at, receipt.receipt_creation_date)) OVER (
            PARTITION BY
                coalesce(presented.account_id, presented.device_id), presented.account_id IS NULL, receipt.app_id
        ) AS last_seen_ms,
        row_number() OVER (
            PARTITION BY
                coalesce(presented.account_id, presented.device_id), presented.account_id IS NULL, receipt.app_id
            ORDER BY
                presented.device_id IS NULL,
                coalesce(presented.submitted_at, receipt.receipt_creation_date) DESC NULLS LAST,
                presented.device_id
        ) AS place
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    WHERE receipt.verdict = 'trusted'
        -- Which names no app.
        AND receipt.kind <> 'signed_renewal'
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    placed.owner,
    CASE WHEN placed.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    placed.account_id,
    placed.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', placed.last_seen_ms / 1000, 'unixepoch') AS last_seen,
    placed.last_seen_ms,
    placed.app_id AS app_number
FROM placed
JOIN app ON app.app_id = placed.app_id
WHERE placed.place = 1;
