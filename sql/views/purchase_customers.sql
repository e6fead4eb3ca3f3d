-- One row per purchase but for family members' shares: the one customer to whom it
-- belongs. All purchases of one original transaction, such as the periods of a
-- subscription, belong to one, because one Apple Account pays for them.
--
-- The customer is the account that presented a purchase of that original first, of
-- several at the same moment the least by name. Where no account presented any, it is
-- the account that first presented another purchase of the same app transaction; else
-- the app transaction; else the account token; else the device that presented it
-- first; else nobody is known, and the original transaction stands for the customer.
-- Of several tokens or app transactions of one original the least counts.
--
-- Owners are those whom trusted documents came from, without those whose hash belongs
-- to another device. A document without time counts from when the store made it.
--
-- Columns:
--   environment              –  attribute 0     as in purchases
--   bundle_id                –  attribute 2     as in purchases
--   transaction_id           –  attribute 1703  the transaction
--   original_transaction_id  –  attribute 1705  the original; the transaction's own where none is stated
--   customer                 –  –               name of the customer, which is one only together with customer_kind
--   customer_kind            –  –               `account`, `app_transaction`, `token`, `device`, or `original` where nobody
--                                               is known
--   app_number               –  –               the app's number in this database alone, to count by
--   purchase_number          –  –               the same of the purchase
CREATE VIEW purchase_customers AS
WITH bought AS (
    SELECT
        stated.purchase_id,
        stated.app_id,
        stated.transaction_id,
        coalesce(stated.original_transaction_id, stated.transaction_id) AS original_number,
        terms.app_account_token,
        terms.app_transaction_id
    FROM purchase AS stated
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = stated.transaction_id
        AND terms.app_id = stated.app_id
        AND terms.verdict = 'trusted'
    WHERE coalesce(terms.ownership, '') <> 'FAMILY_SHARED'
),

presented AS (
    SELECT
        submission.receipt_id,
        receipt.app_id,
        coalesce(submission.account_id, submission.device_id) AS owner,
        CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END AS is_device,
        min(coalesce(submission.submitted_at, receipt.receipt_creation_date, 1 << 62)) AS presented_ms
    FROM submission
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.purchase_count > 0
        AND submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT
        receipt_part.part_receipt_id,
        receipt.app_id,
        coalesce(submission.account_id, submission.device_id) AS owner,
        CASE WHEN submission.account_id IS NULL THEN 1 ELSE 0 END AS is_device,
        min(coalesce(submission.submitted_at, holder.receipt_creation_date, receipt.receipt_creation_date, 1 << 62))
    FROM receipt_part
    CROSS JOIN receipt ON receipt.receipt_id = receipt_part.part_receipt_id
    CROSS JOIN receipt AS holder ON holder.receipt_id = receipt_part.receipt_id
    CROSS JOIN submission ON submission.receipt_id = receipt_part.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND receipt.purchase_count > 0
        AND submission.device_check <> 'mismatch'
        AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
    GROUP BY 1, 2, 3, 4
),

owned AS (
    SELECT
        bought.app_id,
        bought.original_number,
        presented.owner,
        presented.is_device,
        presented.presented_ms,
        row_number() OVER (
            PARTITION BY bought.original_number, bought.app_id
            ORDER BY presented.is_device, presented.presented_ms, presented.owner
        ) AS place
    FROM presented
    CROSS JOIN receipt_purchase ON receipt_purchase.receipt_id = presented.receipt_id
    CROSS JOIN bought
        ON bought.transaction_id = receipt_purchase.transaction_id
        AND bought.app_id = presented.app_id
),

original AS (
    SELECT
        app_id,
        original_number,
        min(app_account_token) AS app_account_token,
        min(app_transaction_id) AS app_transaction_id
    FROM bought
    GROUP BY original_number, app_id
),

linked AS (
    SELECT
        original.app_id,
        original.app_transaction_id,
        owned.owner,
        row_number() OVER (
            PARTITION BY original.app_transaction_id, original.app_id ORDER BY owned.presented_ms, owned.owner
        ) AS place
    FROM owned
    JOIN original
        ON original.original_number = owned.original_number
        AND original.app_id = owned.app_id
    WHERE owned.place = 1
        AND owned.is_device = 0
        AND original.app_transaction_id IS NOT NULL
),

named AS (
    SELECT
        original.app_id,
        original.original_number,
        CASE
            WHEN owned.is_device = 0 OR linked.owner IS NOT NULL THEN 'account'
            WHEN original.app_transaction_id IS NOT NULL THEN 'app_transaction'
            WHEN original.app_account_token IS NOT NULL THEN 'token'
            WHEN owned.is_device = 1 THEN 'device'
            ELSE 'original'
        END AS customer_kind,
        CASE WHEN owned.is_device = 0 THEN owned.owner ELSE linked.owner END AS account,
        original.app_transaction_id,
        original.app_account_token,
        owned.owner AS device
    FROM original
    LEFT JOIN owned
        ON owned.original_number = original.original_number
        AND owned.app_id = original.app_id
        AND owned.place = 1
    LEFT JOIN linked
        ON linked.app_transaction_id = original.app_transaction_id
        AND linked.app_id = original.app_id
        AND linked.place = 1
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(bought.transaction_id AS TEXT) AS transaction_id,
    CAST(bought.original_number AS TEXT) AS original_transaction_id,
    CASE named.customer_kind
        WHEN 'account' THEN named.account
        WHEN 'app_transaction' THEN named.app_transaction_id
        WHEN 'token' THEN named.app_account_token
        WHEN 'device' THEN named.device
        ELSE CAST(bought.original_number AS TEXT)
    END AS customer,
    named.customer_kind,
    bought.app_id AS app_number,
    bought.purchase_id AS purchase_number
FROM bought
JOIN named
    ON named.original_number = bought.original_number
    AND named.app_id = bought.app_id
JOIN app ON app.app_id = bought.app_id;
