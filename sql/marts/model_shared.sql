-- What several devices or accounts presented: which documents belong together, who is the rightful holder, and how
-- severe it is. docs/fraud.md explains each signal and its innocent causes.
--
-- - shared_receipt: the bytes of a document; for signed data, all that the App Store signed about one transaction,
--   subscription or app, with devices counted per signing time
-- - shared_lineage: receipts of one installation, with the same app, opaque value and hash
-- - shared_transaction: an original transaction that is no consumable; each member's share counts by itself
-- - shared_account_token: purchases with one appAccountToken, without members' shares
-- - replayed_consumable: the transaction of one consumable
--
-- Candidates are found by tags, which are indexed; identifiers are counted only for candidates. All devices for which
-- the shared receipt or purchase was made count as one, however they are written. Whoever presented it on such a device
-- is a holder; the severity for holders depends on their number.
--
-- Grain: one row per signal, thing and document that is of it
-- Key: receipt_id, signal, thing
-- Index: signal, thing
-- Slice: receipt_id
-- Reference: receipt_id = receipt(receipt_id)
--
-- Columns:
--   signal           TEXT!     –          shared_receipt, shared_lineage, shared_transaction, shared_account_token or
--                                         replayed_consumable
--   thing            TEXT!     –          key of what is shared, unique for the signal: number of its first document,
--                                         app and transaction, or token
--   receipt_id       INTEGER!  –          the document, by the loader's number
--   transaction_id   TEXT!     –          transaction that the signal is about; empty if none
--   devices          INTEGER!  devices    number of devices that presented what is shared
--   accounts         INTEGER!  accounts   number of accounts that presented what is shared
--   documents        INTEGER!  documents  number of documents that belong to what is shared
--   is_bound         INTEGER!  0 or 1     1: somebody presented what is shared on the device that it was made for
--   severity         TEXT!     –          severity for presenters who are not holders: low, medium or high
--   holder_severity  TEXT!     –          severity for holders: low, medium or high
WITH presented AS (
    SELECT
        receipt_id,
        min(account_tag) AS minimum_account,
        max(account_tag) AS maximum_account,
        min(device_tag) AS minimum_device,
        max(device_tag) AS maximum_device,
        count(*) AS submissions
    FROM submission
    GROUP BY receipt_id
),

documents AS (
    SELECT
        presented.*,
        receipt.kind,
        receipt.app_id,
        receipt.receipt_creation_date AS created_ms,
        receipt.original_purchase_date AS installed_ms
    FROM presented
    JOIN receipt ON receipt.receipt_id = presented.receipt_id
    WHERE receipt.verdict = 'trusted'
        AND (
            receipt.kind IN ('signed_transaction', 'signed_renewal', 'app_transaction')
            OR presented.minimum_device <> presented.maximum_device
            OR presented.submissions >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
        )
),

family AS (
    SELECT purchase.purchase_id, purchase.app_id, purchase.transaction_id
    FROM model_terms AS terms
    JOIN purchase ON purchase.purchase_id = terms.purchase_id
    WHERE terms.is_shared = 1
),

signed AS (
    SELECT
        documents.*,
        stated.transaction_id AS about_id,
        0 AS about_ms,
        CASE WHEN sharing.ownership IS NULL THEN lower(terms.app_account_token) END AS token
    FROM documents
    JOIN receipt_purchase AS stated ON stated.receipt_id = documents.receipt_id
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = stated.transaction_id
        AND terms.app_id = documents.app_id
        AND terms.verdict = 'trusted'
    LEFT JOIN internal_sharing AS sharing ON sharing.ownership = terms.ownership
    WHERE documents.kind = 'signed_transaction'
    UNION ALL
    SELECT
        documents.*,
        renewal.original_transaction_id,
        documents.created_ms,
        -- A shared purchase has the buyer's token, but members who present it are no thieves, so its token does not
        -- count.
        CASE
            WHEN renewal.original_transaction_id NOT IN (SELECT transaction_id FROM family)
                THEN lower(renewal.app_account_token)
        END
    FROM documents
    JOIN renewal ON renewal.receipt_id = documents.receipt_id
    WHERE documents.kind = 'signed_renewal'
    UNION ALL
    SELECT documents.*, NULL, documents.created_ms, NULL
    FROM documents
    WHERE documents.kind = 'app_transaction'
),

subjects AS (
    SELECT
        receipt_id,
        created_ms,
        about_id,
        min(receipt_id) OVER subject AS thing,
        min(minimum_account) OVER subject AS minimum_account,
        max(maximum_account) OVER subject AS maximum_account,
        min(minimum_device) OVER subject AS minimum_device,
        max(maximum_device) OVER subject AS maximum_device
    FROM signed
    WINDOW subject AS (
        PARTITION BY about_id, app_id, kind, about_ms, CASE kind WHEN 'app_transaction' THEN installed_ms END
    )
),

told AS (
    SELECT receipt_id, about_id, thing, min(receipt_id) OVER (PARTITION BY thing, created_ms) AS part
    FROM subjects
    WHERE minimum_account <> maximum_account
        OR minimum_device <> maximum_device
),

tokened AS (
    SELECT
        receipt_id,
        token,
        CASE kind WHEN 'signed_transaction' THEN about_id END AS transaction_id,
        min(minimum_account) OVER (PARTITION BY token) AS minimum_account,
        max(maximum_account) OVER (PARTITION BY token) AS maximum_account
    FROM signed
    WHERE token IS NOT NULL
),

lineages AS (
    SELECT lineage.hash_prefix
    FROM receipt_lineage AS lineage
    JOIN submission ON submission.receipt_id = lineage.receipt_id
    GROUP BY lineage.hash_prefix
    HAVING min(submission.device_tag) <> max(submission.device_tag)
        OR (
            min(submission.account_tag) <> max(submission.account_tag)
            AND count(*) >= (SELECT value FROM signal_settings WHERE name = 'shared_accounts_high')
        )
),

originals AS (
    SELECT
        purchase.original_transaction_id,
        purchase.app_id,
        CASE WHEN min(submission.account_tag) <> max(submission.account_tag) THEN 1 ELSE 0 END AS has_accounts
    FROM purchase
    JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
    JOIN submission ON submission.receipt_id = stated.receipt_id
    WHERE (coalesce(purchase.product_type, -1) <> 1 OR purchase.expires_date IS NOT NULL)
        AND purchase.original_transaction_id IS NOT NULL
    GROUP BY purchase.original_transaction_id, purchase.app_id
    HAVING min(submission.account_tag) <> max(submission.account_tag)
        OR (
            min(submission.device_tag) <> max(submission.device_tag)
            AND count(*) >= (SELECT value FROM signal_settings WHERE name = 'transaction_devices')
        )
),

-- Two devices of one account are common, and each presents every period, so devices are counted only for these.
spread AS (
    SELECT original_transaction_id, app_id
    FROM originals
    WHERE has_accounts = 1
    UNION ALL
    SELECT originals.original_transaction_id, originals.app_id
    FROM originals
    JOIN purchase
        ON purchase.original_transaction_id = originals.original_transaction_id
        AND purchase.app_id = originals.app_id
    JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
    JOIN submission ON submission.receipt_id = stated.receipt_id
    -- SQLite 3.46 would push down a column that is compared with a constant, and compute the candidates again for each
    -- row.
    WHERE coalesce(originals.has_accounts, 0) = 0
    GROUP BY originals.original_transaction_id, originals.app_id
    HAVING count(DISTINCT submission.device_tag)
            >= (SELECT value FROM signal_settings WHERE name = 'transaction_devices')
),

-- Consumables and members' shares: each transaction counts by itself.
singles AS (
    SELECT purchase.purchase_id
    FROM purchase
    JOIN receipt_purchase AS stated ON stated.transaction_id = purchase.transaction_id
    JOIN submission ON submission.receipt_id = stated.receipt_id
    WHERE purchase.product_type = 1
        OR purchase.purchase_id IN (SELECT purchase_id FROM family)
    GROUP BY purchase.purchase_id
    HAVING min(submission.account_tag) <> max(submission.account_tag)
        OR min(submission.device_tag) <> max(submission.device_tag)
),

held AS (
    SELECT 'shared_transaction' AS signal, purchase.app_id, purchase.original_transaction_id AS about_id, purchase.transaction_id
    FROM spread
    JOIN purchase
        ON purchase.original_transaction_id = spread.original_transaction_id
        AND purchase.app_id = spread.app_id
    WHERE (coalesce(purchase.product_type, -1) <> 1 OR purchase.expires_date IS NOT NULL)
        AND purchase.purchase_id NOT IN (SELECT purchase_id FROM family)
    UNION ALL
    SELECT
        CASE purchase.product_type WHEN 1 THEN 'replayed_consumable' ELSE 'shared_transaction' END,
        purchase.app_id,
        purchase.transaction_id,
        purchase.transaction_id
    FROM singles
    JOIN purchase ON purchase.purchase_id = singles.purchase_id
),

things AS (
    SELECT
        'shared_receipt' AS signal,
        CAST(receipt_id AS VARCHAR(40)) AS thing,
        CAST(receipt_id AS VARCHAR(40)) AS part,
        receipt_id,
        '' AS transaction_id
    FROM documents
    WHERE kind NOT IN ('signed_transaction', 'signed_renewal', 'app_transaction')
    UNION ALL
    SELECT 'shared_receipt', CAST(thing AS VARCHAR(40)), CAST(part AS VARCHAR(40)), receipt_id, coalesce(CAST(about_id AS VARCHAR(255)), '')
    FROM told
    UNION ALL
    SELECT 'shared_account_token', token, '', receipt_id, coalesce(CAST(transaction_id AS VARCHAR(255)), '')
    FROM tokened
    WHERE minimum_account <> maximum_account
    UNION ALL
    SELECT
        'shared_lineage',
        CAST(
            min(receipt.receipt_id) OVER (PARTITION BY receipt.app_id, receipt.opaque_value, receipt.device_hash)
            AS VARCHAR(40)
        ),
        '',
        receipt.receipt_id,
        ''
    FROM lineages
    JOIN receipt_lineage AS lineage ON lineage.hash_prefix = lineages.hash_prefix
    JOIN receipt ON receipt.receipt_id = lineage.receipt_id
    WHERE receipt.verdict = 'trusted'
    UNION ALL
    SELECT DISTINCT
        held.signal,
        CAST(held.app_id AS VARCHAR(40)) || ':' || CAST(held.about_id AS VARCHAR(255)),
        '',
        receipt.receipt_id,
        CAST(held.about_id AS VARCHAR(255))
    FROM held
    JOIN receipt_purchase AS stated ON stated.transaction_id = held.transaction_id
    JOIN receipt ON receipt.receipt_id = stated.receipt_id AND receipt.app_id = held.app_id
    WHERE receipt.verdict = 'trusted'
),

presentations AS (
    SELECT
        things.signal,
        things.thing,
        things.part,
        things.receipt_id,
        submission.device_check,
        submission.account_id,
        CASE
            WHEN submission.device_check = 'invalid_device_id' THEN NULL
            WHEN submission.device_check = 'match' AND things.signal IN ('shared_receipt', 'shared_lineage') THEN ''
            WHEN length(submission.device_id) IN (8, 22, 24) THEN submission.device_id
            ELSE lower(replace(replace(replace(submission.device_id, '-', ''), ':', ''), '.', ''))
        END AS device
    FROM things
    JOIN submission ON submission.receipt_id = things.receipt_id
    WHERE things.signal <> 'shared_lineage'
        OR submission.device_check <> 'server_issued'
),

parts AS (
    SELECT signal, thing, part, count(DISTINCT device) AS devices
    FROM presentations
    GROUP BY signal, thing, part
),

counted AS (
    SELECT
        signal,
        thing,
        count(DISTINCT account_id) AS accounts,
        count(DISTINCT receipt_id) AS documents,
        count(DISTINCT CASE WHEN device_check = 'match' THEN account_id END) AS holders,
        max(CASE WHEN device_check = 'match' THEN 1 ELSE 0 END) AS is_bound
    FROM presentations
    GROUP BY signal, thing
),

limits AS (
    SELECT
        max(CASE name WHEN 'shared_devices_medium' THEN value END) AS shared_devices_medium,
        max(CASE name WHEN 'shared_devices_high' THEN value END) AS shared_devices_high,
        max(CASE name WHEN 'shared_accounts_high' THEN value END) AS shared_accounts_high,
        max(CASE name WHEN 'transaction_accounts' THEN value END) AS transaction_accounts,
        max(CASE name WHEN 'transaction_accounts_high' THEN value END) AS transaction_accounts_high,
        max(CASE name WHEN 'transaction_devices' THEN value END) AS transaction_devices,
        max(CASE name WHEN 'token_accounts' THEN value END) AS token_accounts,
        max(CASE name WHEN 'token_accounts_high' THEN value END) AS token_accounts_high,
        max(CASE name WHEN 'replay_accounts_high' THEN value END) AS replay_accounts_high
    FROM signal_settings
),

judged AS (
    SELECT
        counted.*,
        grouped.devices,
        CASE
            WHEN counted.signal = 'replayed_consumable' THEN CASE
                WHEN accounts >= replay_accounts_high OR (accounts > 1 AND devices > 1) THEN 'high'
                WHEN accounts > 1 THEN 'medium'
                ELSE 'low'
            END
            WHEN counted.signal = 'shared_transaction' THEN CASE
                WHEN accounts >= transaction_accounts_high THEN 'high'
                WHEN accounts >= transaction_accounts THEN 'medium'
                ELSE 'low'
            END
            WHEN counted.signal = 'shared_account_token' THEN CASE
                WHEN accounts >= token_accounts_high THEN 'high'
                ELSE 'medium'
            END
            WHEN devices >= shared_devices_high OR (devices > 1 AND accounts >= shared_accounts_high) THEN 'high'
            WHEN devices >= shared_devices_medium OR accounts > 1 THEN 'medium'
            ELSE 'low'
        END AS severity,
        CASE
            WHEN counted.signal = 'replayed_consumable' THEN CASE
                WHEN holders >= replay_accounts_high THEN 'high'
                WHEN holders > 1 THEN 'medium'
                ELSE 'low'
            END
            -- A restore on another account's device makes that account a holder, so the severity depends on the number
            -- of holders.
            WHEN counted.signal = 'shared_transaction' THEN CASE
                WHEN holders >= transaction_accounts_high THEN 'high'
                WHEN holders >= transaction_accounts THEN 'medium'
                ELSE 'low'
            END
            WHEN counted.signal = 'shared_account_token' THEN CASE
                WHEN holders >= token_accounts_high THEN 'high'
                WHEN holders >= token_accounts THEN 'medium'
                ELSE 'low'
            END
            WHEN holders >= shared_accounts_high THEN 'medium'
            ELSE 'low'
        END AS holder_severity
    FROM counted
    JOIN (SELECT signal, thing, max(devices) AS devices FROM parts GROUP BY signal, thing) AS grouped
        ON grouped.signal = counted.signal
        AND grouped.thing = counted.thing
    JOIN limits ON 1 = 1
    WHERE CASE counted.signal
        WHEN 'replayed_consumable' THEN accounts > 1 OR devices > 1
        WHEN 'shared_transaction' THEN accounts >= transaction_accounts OR devices >= transaction_devices
        WHEN 'shared_account_token' THEN accounts >= token_accounts
        WHEN 'shared_lineage' THEN documents > 1 AND (devices > 1 OR (accounts > 1 AND accounts >= shared_accounts_high))
        ELSE devices > 1 OR (accounts > 1 AND accounts >= shared_accounts_high)
    END
)

SELECT
    things.signal,
    things.thing,
    things.receipt_id,
    things.transaction_id,
    judged.devices,
    judged.accounts,
    judged.documents,
    judged.is_bound,
    judged.severity,
    judged.holder_severity
FROM judged
JOIN things ON things.signal = judged.signal AND things.thing = judged.thing
