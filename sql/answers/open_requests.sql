-- Open refund requests: for each transaction the newest trusted notification of type CONSUMPTION_REQUEST, unless a
-- decision was signed since, or the transaction states that it was revoked since. A request that names no trusted
-- transaction has a row without purchase_id. Columns from models are null if the models are older than the request.
--
-- Columns:
--   purchase_id              the transaction, by the loader's number
--   notification_uuid        identifier of the request
--   environment, bundle_id   of the transaction
--   transaction_id, original_transaction_id, product_id
--   reason                   the customer's reason
--   requested_ms             when the store signed the first delivery of the request
--   product_type             as in the view purchases
--   purchased_ms, expires_ms, price_milliunits, currency
--   digits                   decimals of the currency
--   customer_account         the account that identifies the customer; null if something else does
--   app_account_token, app_transaction_id
--   own_refunds              1: the purchase itself is one of its customer's refunds
--   is_shared                1: a member's share, for which the App Store accepts no answer
--   is_commerce              1: a purchase of the Advanced Commerce API, answered at another endpoint
--   answered_ms              when the request was answered; null if no answer is recorded
WITH delivered AS (
    SELECT
        purchase.purchase_id, receipt.app_id,
        coalesce(notification.notification_uuid, CAST(notification.receipt_id AS TEXT)) AS delivery,
        max(notification.notification_uuid) AS notification_uuid,
        max(notification.consumption_request_reason) AS reason,
        min(receipt.receipt_creation_date) AS requested_ms
    FROM notification
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    LEFT JOIN receipt_part AS held ON held.receipt_id = notification.receipt_id AND held.part = 'transaction'
    LEFT JOIN receipt AS stating ON stating.receipt_id = held.part_receipt_id AND stating.verdict = 'trusted'
    LEFT JOIN receipt_purchase AS stated ON stated.receipt_id = stating.receipt_id
    LEFT JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = receipt.app_id
    WHERE notification.notification_type = 'CONSUMPTION_REQUEST'
        AND receipt.verdict = 'trusted'
    GROUP BY 1, 2, 3
),

newest AS (
    SELECT
        delivered.*,
        row_number() OVER (
            PARTITION BY purchase_id, CASE WHEN purchase_id IS NULL THEN delivery END
            ORDER BY requested_ms DESC, delivery
        ) AS place
    FROM delivered
),

decided AS (
    SELECT purchase.purchase_id, max(receipt.receipt_creation_date) AS decided_ms
    FROM notification
    JOIN receipt ON receipt.receipt_id = notification.receipt_id
    JOIN receipt_part AS held ON held.receipt_id = notification.receipt_id AND held.part = 'transaction'
    JOIN receipt_purchase AS stated ON stated.receipt_id = held.part_receipt_id
    JOIN purchase ON purchase.transaction_id = stated.transaction_id AND purchase.app_id = receipt.app_id
    WHERE notification.notification_type IN ('REFUND', 'REFUND_DECLINED', 'REFUND_REVERSED')
        AND receipt.verdict = 'trusted'
    GROUP BY purchase.purchase_id
)

SELECT
    newest.purchase_id, newest.notification_uuid, app.environment, app.bundle_id,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(purchase.original_transaction_id, purchase.transaction_id) AS TEXT) AS original_transaction_id,
    product.product_id, newest.reason, newest.requested_ms, purchase.product_type,
    coalesce(sale.start_ms, purchase.purchase_date) AS purchased_ms,
    purchase.expires_date AS expires_ms, sale.price_milliunits, sale.currency,
    coalesce((SELECT digits.digits FROM internal_currency_digits AS digits WHERE digits.currency = sale.currency), 2) AS digits,
    CASE WHEN customer.customer_kind = 'account' THEN customer.customer END AS customer_account,
    terms.app_account_token, terms.app_transaction_id,
    CASE WHEN sale.refund_ms IS NOT NULL AND sale.is_paid = 1 THEN 1 ELSE 0 END AS own_refunds,
    CASE WHEN sharing.ownership IS NULL THEN 0 ELSE 1 END AS is_shared,
    EXISTS (
        SELECT 1
        FROM receipt_purchase AS link
        JOIN receipt AS document ON document.receipt_id = link.receipt_id AND document.app_id = purchase.app_id
        JOIN commerce ON commerce.receipt_id = link.receipt_id
        WHERE link.transaction_id = purchase.transaction_id
            AND document.verdict = 'trusted'
    ) AS is_commerce,
    (
        SELECT max(answer.answered_at)
        FROM consumption_answer AS answer
        WHERE answer.environment = app.environment
            AND answer.transaction_id = purchase.transaction_id
            AND answer.answered_at >= newest.requested_ms - newest.requested_ms % 1000
    ) AS answered_ms
FROM newest
JOIN app ON app.app_id = newest.app_id
LEFT JOIN purchase ON purchase.purchase_id = newest.purchase_id
LEFT JOIN product ON product.product_number = purchase.product_number
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN internal_sharing AS sharing ON sharing.ownership = terms.ownership
LEFT JOIN model_sales AS sale ON sale.purchase_id = newest.purchase_id
LEFT JOIN model_customers AS customer ON customer.customer_id = sale.customer_id
LEFT JOIN decided ON decided.purchase_id = newest.purchase_id
WHERE newest.place = 1
    AND (decided.decided_ms IS NULL OR decided.decided_ms < newest.requested_ms - newest.requested_ms % 1000)
    AND (
        purchase.cancellation_date IS NULL
        OR purchase.cancellation_date < newest.requested_ms - newest.requested_ms % 1000
    )
ORDER BY newest.requested_ms, newest.purchase_id, newest.delivery;
