-- One row per pair of parties that presented the same thing, by the signals of sharing: who shares what with
-- whom. A party is an account with a device, as the lines write them. Each pair stands twice, once from either side.
-- Testers' trusted receipts of the sandbox are in it: see environment. What more than 200 parties share is left out:
-- fraud_signals lists those.
--
-- Columns:
--   environment        –            attribute 0  as in fraud_signals
--   bundle_id          –            attribute 2  the receipts'
--   signal             –            –            shared_receipt, shared_lineage, shared_transaction, shared_account_token or
--                                                replayed_consumable
--   shared             –            –            what is shared: the receipt's SHA-256, the lineage as in receipts, the
--                                                transaction (of signed data the one it tells of), or the token
--   account_id         –            line         one party's account
--   device_id          –            line         its device
--   role               –            –            its role, as in fraud_signals: copier, where it is one on any line of these
--   other_account_id   –            line         the other's account
--   other_device_id    –            line         its device
--   other_role         –            –            its role
--   other_submissions  submissions  –            how often the other presented it
--   other_first_at     time         line         the first time; null where no line states one
--   other_last_at      time         line         the last time
CREATE VIEW case_parties AS
WITH presented AS (
    SELECT
        found.signal,
        found.environment,
        found.bundle_id,
        CASE
            WHEN found.signal = 'shared_lineage'
                THEN lower(hex(receipt.opaque_value)) || '-' || lower(hex(receipt.device_hash))
            -- A signed transaction or a renewal info states the token.
            WHEN found.signal = 'shared_account_token'
                THEN lower(coalesce(terms.app_account_token, renewal.app_account_token))
            WHEN found.signal = 'shared_receipt' AND found.transaction_id IS NULL THEN found.receipt_sha256
            ELSE found.transaction_id
        END AS shared,
        found.account_id,
        found.device_id,
        found.role,
        found.observed_at
    FROM fraud_signals AS found
    CROSS JOIN submission ON submission.submission_id = found.submission_number
    CROSS JOIN receipt ON receipt.receipt_id = submission.receipt_id
    LEFT JOIN receipt_purchase
        ON receipt_purchase.receipt_id = receipt.receipt_id
        AND found.signal = 'shared_account_token'
    LEFT JOIN purchase_terms AS terms
        ON terms.transaction_id = receipt_purchase.transaction_id
        AND terms.app_id = receipt.app_id
        AND terms.verdict = 'trusted'
    LEFT JOIN renewal
        ON renewal.receipt_id = receipt.receipt_id
        AND found.signal = 'shared_account_token'
    WHERE found.signal IN (
        'shared_receipt', 'shared_lineage', 'shared_transaction', 'shared_account_token', 'replayed_consumable'
    )
),

party AS (
    SELECT
        signal,
        coalesce(environment, '') AS environment,
        coalesce(bundle_id, '') AS bundle_id,
        shared,
        coalesce(account_id, '') AS account_id,
        coalesce(device_id, '') AS device_id,
        -- The words stand in this order.
        min(role) AS role,
        count(*) AS submissions,
        min(observed_at) AS first_at,
        max(observed_at) AS last_at
    FROM presented
    GROUP BY 1, 2, 3, 4, 5, 6
),

-- Pairs of more grow with their square.
sized AS (
    SELECT *, count(*) OVER (PARTITION BY signal, environment, bundle_id, shared) AS parties
    FROM party
)

SELECT
    nullif(own.environment, '') AS environment,
    nullif(own.bundle_id, '') AS bundle_id,
    own.signal,
    own.shared,
    nullif(own.account_id, '') AS account_id,
    nullif(own.device_id, '') AS device_id,
    own.role,
    nullif(other.account_id, '') AS other_account_id,
    nullif(other.device_id, '') AS other_device_id,
    other.role AS other_role,
    other.submissions AS other_submissions,
    other.first_at AS other_first_at,
    other.last_at AS other_last_at
FROM sized AS own
JOIN party AS other
    ON other.shared = own.shared
    AND other.signal = own.signal
    AND other.bundle_id = own.bundle_id
    AND other.environment = own.environment
WHERE own.parties <= 200
    AND (own.account_id <> other.account_id OR own.device_id <> other.device_id);
