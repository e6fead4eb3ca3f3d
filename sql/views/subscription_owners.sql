-- One row per subscription and owner: who presented one of its purchases, and how to
-- reach them. What was presented without account and device belongs to those who
-- presented another of the same subscription, and they are here. A subscription that
-- nobody with a name presented has no row.
--
-- Columns:
--   environment      –     attribute 0     as in purchases
--   bundle_id        –     attribute 2     as in purchases
--   subscription_id  –     attribute 1705  the original transaction
--   owner            –     line            as in app_owners
--   owner_kind       –     –               `account` or `device`
--   account_id       –     line            as in owner_contacts
--   device_id        –     line            as in owner_contacts
--   last_seen        time  line            when the owner presented a document of the app last
--   place            –     –               1: of the subscription's owners the one to write to: an account before a device,
--                                          of these the one seen last, then the least name
--   app_number       –     –               the app's number in this database alone, to count by
--   original_number  –     –               the original transaction, as the loader keeps it
CREATE VIEW subscription_owners AS
WITH presented AS (
    SELECT
        receipt_id,
        coalesce(account_id, device_id) AS owner,
        CASE WHEN account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind
    FROM submission
    WHERE device_check <> 'mismatch'
        AND coalesce(account_id, device_id) IS NOT NULL
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        coalesce(submission.account_id, submission.device_id),
        CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END
    FROM receipt_part
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
),

held AS (
    SELECT
        purchase.app_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_number,
        presented.owner,
        presented.owner_kind
    FROM presented
    CROSS JOIN receipt ON receipt.receipt_id = presented.receipt_id
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = presented.receipt_id
    CROSS JOIN unshared_purchases AS purchase
        ON purchase.transaction_id = receipt_purchase.transaction_id
        AND purchase.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
        AND purchase.expires_date IS NOT NULL
    GROUP BY
        coalesce(purchase.original_transaction_id, purchase.transaction_id), presented.owner, presented.owner_kind,
        purchase.app_id
)

SELECT
    contact.environment,
    contact.bundle_id,
    CAST(held.original_number AS TEXT) AS subscription_id,
    contact.owner,
    contact.owner_kind,
    contact.account_id,
    contact.device_id,
    contact.last_seen,
    row_number() OVER (
        PARTITION BY held.original_number, held.app_id
        ORDER BY contact.owner_kind, contact.last_seen_ms DESC NULLS LAST, contact.owner
    ) AS place,
    held.app_id AS app_number,
    held.original_number
FROM held
CROSS JOIN owner_contacts AS contact
    ON contact.owner = held.owner
    AND contact.owner_kind = held.owner_kind
    AND contact.app_number = held.app_id;
