-- One app account token under several accounts. An app gives each of its users a
-- token and the store signs it into what that user buys, so that a signed purchase
-- with another account's token was bought by somebody else. Innocent: an app that
-- gives every user one token, or names accounts anew; a person who deleted an account
-- and made another.
CREATE VIEW signal_shared_account_token AS
WITH tokened AS (
    -- What states the token: signed transactions, and renewal infos. A receipt knows none.
    SELECT receipt.receipt_id, receipt_purchase.transaction_id, lower(terms.app_account_token) AS token
    FROM purchase_terms AS terms
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = terms.transaction_id
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = terms.app_id
    WHERE terms.app_account_token IS NOT NULL
        AND coalesce(terms.ownership, '') <> 'FAMILY_SHARED'
        AND terms.verdict = 'trusted'
        AND receipt.verdict = 'trusted'
        AND receipt.kind = 'signed_transaction'
    UNION ALL
    SELECT receipt_id, NULL, lower(app_account_token)
    FROM renewal
    WHERE app_account_token IS NOT NULL
        -- What a family shares is the buyer's, and no member is a thief for it.
        AND original_transaction_id NOT IN (
            SELECT transaction_id FROM purchase_terms WHERE ownership = 'FAMILY_SHARED' AND verdict = 'trusted'
        )
),

candidate AS (
    -- Tags stand in an index; few tokens are under two, and only their accounts are counted.
    SELECT tokened.token
    FROM tokened
    CROSS JOIN submission ON submission.receipt_id = tokened.receipt_id
    GROUP BY tokened.token
    HAVING min(submission.account_tag) <> max(submission.account_tag)
),

shared AS (
    SELECT tokened.token, count(DISTINCT submission.account_id) AS accounts
    FROM candidate
    JOIN tokened ON tokened.token = candidate.token
    CROSS JOIN submission ON submission.receipt_id = tokened.receipt_id
    GROUP BY tokened.token
    HAVING count(DISTINCT submission.account_id)
        >= (SELECT value FROM signal_settings WHERE name = 'token_accounts')
),

-- Who presented a purchase with it on the device that it was made for, and how many accounts did.
holder AS (
    SELECT DISTINCT shared.token, submission.account_id
    FROM shared
    JOIN tokened ON tokened.token = shared.token
    CROSS JOIN submission ON submission.receipt_id = tokened.receipt_id
    WHERE submission.device_check = 'match'
),

bound AS (
    SELECT token, count(account_id) AS accounts
    FROM holder
    GROUP BY token
)

SELECT
    'shared_account_token' AS signal,
    CASE
        -- A holder is weighed by what holders did.
        WHEN (presentations.device_check = 'match' OR holder.token IS NOT NULL)
            AND bound.accounts < (SELECT value FROM signal_settings WHERE name = 'token_accounts')
            THEN 'low'
        WHEN (presentations.device_check = 'match' OR holder.token IS NOT NULL)
            AND bound.accounts < (SELECT value FROM signal_settings WHERE name = 'token_accounts_high')
            THEN 'medium'
        WHEN shared.accounts >= (SELECT value FROM signal_settings WHERE name = 'token_accounts_high') THEN 'high'
        ELSE 'medium'
    END AS severity,
    presentations.bundle_id,
    presentations.device_id,
    presentations.account_id,
    presentations.receipt_sha256,
    CAST(tokened.transaction_id AS TEXT) AS transaction_id,
    presentations.archive,
    presentations.line,
    shared.accounts || ' accounts presented purchases with this app account token'
        || CASE WHEN bound.token IS NULL THEN ', none of them known as the one that one was made for' ELSE '' END AS detail,
    presentations.submitted_at AS observed_at,
    presentations.environment,
    CASE
        WHEN presentations.device_check = 'match' OR holder.token IS NOT NULL THEN 'holder'
        WHEN presentations.device_check = 'mismatch' AND bound.token IS NOT NULL THEN 'copier'
        ELSE 'unknown'
    END AS role,
    presentations.submission_number
FROM shared
JOIN tokened ON tokened.token = shared.token
CROSS JOIN presentations ON presentations.receipt_number = tokened.receipt_id
LEFT JOIN bound ON bound.token = shared.token
LEFT JOIN holder
    ON holder.token = shared.token
    AND holder.account_id = presentations.account_id
WHERE presentations.account_id IS NOT NULL;
