-- What the customers of ?1 paid and got refunded, by currency. ?1 is a JSON list of [purchase, app transaction or null,
-- account or null]; the account is the only one that provably holds the purchase.
--
-- A customer's purchases are those of all originals that state the app transaction, and purchases without an app
-- transaction that only this account presented on the device that their document was made for. Without app transaction
-- and account, they are the purchases of the original itself. A purchase that somebody else presented is not included,
-- nor is one that only has the customer's token.
--
-- Columns:
--   purchase_id          purchase of the list, by the loader's number
--   currency             null if no price is known
--   digits               decimals of the currency
--   purchases            number of paid purchases
--   paid_milliunits, refunded_milliunits
--   refunds              number of purchases with a refund
--   first_ms             time of the first paid purchase in the currency
WITH asked AS (
    SELECT
        purchase.purchase_id, purchase.app_id, listed.value ->> 1 AS app_transaction_id, listed.value ->> 2 AS account_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM json_each(?1) AS listed
    CROSS JOIN purchase ON purchase.purchase_id = listed.value ->> 0
),

names AS (
    SELECT purchase_id, app_id, 'app_transaction' AS kind, app_transaction_id AS name
    FROM asked
    WHERE app_transaction_id IS NOT NULL
    UNION ALL
    SELECT purchase_id, app_id, 'account', account_id FROM asked WHERE account_id IS NOT NULL
    UNION ALL
    SELECT purchase_id, app_id, 'original', original_id
    FROM asked
    WHERE app_transaction_id IS NULL AND account_id IS NULL
),

-- Documents that only one account presented on the device that they were made for.
documents AS (
    SELECT shown.receipt_id, min(submission.account_id) AS account_id
    FROM (
        SELECT DISTINCT receipt_id
        FROM submission
        WHERE account_id IN (SELECT account_id FROM asked)
            AND device_check = 'match'
    ) AS shown
    CROSS JOIN submission ON submission.receipt_id = shown.receipt_id
    WHERE submission.device_check = 'match'
    GROUP BY shown.receipt_id
    HAVING min(submission.account_id) = max(submission.account_id)
),

shown AS (
    SELECT DISTINCT
        receipt.app_id, documents.account_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM documents
    CROSS JOIN receipt ON receipt.receipt_id = documents.receipt_id
    CROSS JOIN receipt_purchase AS link ON link.receipt_id = receipt.receipt_id
    CROSS JOIN purchase ON purchase.transaction_id = link.transaction_id AND purchase.app_id = receipt.app_id
    WHERE receipt.verdict = 'trusted'
),

owned AS (
    SELECT DISTINCT
        terms.app_id, 'app_transaction' AS kind, terms.app_transaction_id AS name,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_id
    FROM purchase_terms AS terms
    CROSS JOIN purchase ON purchase.transaction_id = terms.transaction_id AND purchase.app_id = terms.app_id
    WHERE terms.app_transaction_id IN (SELECT app_transaction_id FROM asked)
        AND terms.verdict = 'trusted'
    UNION ALL
    SELECT app_id, 'account', account_id, original_id FROM shown
    UNION ALL
    SELECT DISTINCT app_id, kind, name, name FROM names WHERE kind = 'original'
),

originals AS (
    SELECT DISTINCT app_id, original_id FROM owned
),

alike AS (
    SELECT originals.app_id, originals.original_id, other.purchase_id, other.transaction_id
    FROM originals
    CROSS JOIN purchase AS other ON other.original_transaction_id = originals.original_id AND other.app_id = originals.app_id
    UNION
    SELECT originals.app_id, originals.original_id, other.purchase_id, other.transaction_id
    FROM originals
    CROSS JOIN purchase AS other ON other.transaction_id = originals.original_id AND other.app_id = originals.app_id
),

-- Sums per original, before they are joined with customers: several customers may have presented one original.
sums AS (
    SELECT
        alike.app_id, alike.original_id, sale.currency, count(*) AS purchases,
        coalesce(sum(sale.price_milliunits), 0) AS paid, coalesce(sum(sale.refunded_milliunits), 0) AS refunded,
        count(sale.refund_ms) AS refunds, min(sale.start_ms) AS first_ms
    FROM alike
    CROSS JOIN model_sales AS sale ON sale.purchase_id = alike.purchase_id
    WHERE sale.is_shared = 0
        AND sale.is_paid = 1
    GROUP BY alike.app_id, alike.original_id, sale.currency
),

identified AS (
    SELECT DISTINCT alike.app_id, alike.original_id
    FROM alike
    CROSS JOIN purchase_terms AS terms
        ON terms.transaction_id = alike.transaction_id AND terms.app_id = alike.app_id AND terms.verdict = 'trusted'
    WHERE terms.app_transaction_id IS NOT NULL
),

customers AS (
    SELECT
        owned.app_id, owned.kind, owned.name, sums.currency, sum(sums.purchases) AS purchases, sum(sums.paid) AS paid,
        sum(sums.refunded) AS refunded, sum(sums.refunds) AS refunds, min(sums.first_ms) AS first_ms
    FROM owned
    JOIN sums ON sums.original_id = owned.original_id AND sums.app_id = owned.app_id
    WHERE owned.kind <> 'account'
        OR (owned.app_id, owned.original_id) NOT IN (SELECT app_id, original_id FROM identified)
    GROUP BY owned.app_id, owned.kind, owned.name, sums.currency
)

SELECT
    names.purchase_id, customers.currency,
    coalesce(
        (SELECT digits.digits FROM internal_currency_digits AS digits WHERE digits.currency = customers.currency), 2) AS digits,
    sum(customers.purchases) AS purchases, sum(customers.paid) AS paid_milliunits,
    sum(customers.refunded) AS refunded_milliunits, sum(customers.refunds) AS refunds, min(customers.first_ms) AS first_ms
FROM names
JOIN customers ON customers.name = names.name AND customers.kind = names.kind AND customers.app_id = names.app_id
GROUP BY names.purchase_id, customers.currency
ORDER BY 1, 2;
