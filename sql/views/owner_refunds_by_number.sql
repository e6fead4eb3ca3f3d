-- The rows of owner_refunds by numbers of this database alone, for reports that count many of them.
--
-- Columns:
--   app_number         –                        –               the app's number in this database alone
--   owner              –                        line            as in app_owners
--   owner_kind         –                        –               account or device
--   purchase_number    –                        –               the purchase's number
--   original_number    –                        attribute 1705  the original transaction, as the loader keeps it
--   product_number     –                        –               the product's number
--   cancellation_ms    milliseconds since 1970  attribute 1712  when it was refunded
--   cancellation_date  time                     attribute 1712  the same
--   refund_day         days since 1970          attribute 1712  its day
--   receipt_number     –                        –               the receipt presented
--   submitted_ms       milliseconds since 1970  line            when it was presented; null where others did for the owner
--   shows_refund       0 or 1                   –               as in owner_refunds
CREATE VIEW owner_refunds_by_number AS
-- Found once for all that follows.
WITH refunded AS (
    SELECT
        purchase.purchase_id AS purchase_number,
        purchase.app_id AS app_number,
        purchase.transaction_id AS transaction_number,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_number,
        purchase.product_number,
        purchase.receipt_id AS receipt_number,
        purchase.cancellation_date AS cancellation_ms,
        strftime('%Y-%m-%dT%H:%M:%SZ', purchase.cancellation_date / 1000, 'unixepoch') AS cancellation_date,
        CASE WHEN purchase.cancellation_date < refunded.midnight_ms THEN refunded.earlier_day ELSE refunded.later_day END
            AS refund_day
    FROM purchase_states AS state
    CROSS JOIN purchase ON purchase.purchase_id = state.purchase_number
    LEFT JOIN model_utc_days AS refunded ON refunded.utc_day = purchase.cancellation_date / 86400000
    WHERE state.cancellation_ms IS NOT NULL
        AND state.is_refund = 1
),

stated AS (
    SELECT
        refunded.*,
        receipt.receipt_id AS document_number,
        CASE
            WHEN receipt.receipt_creation_date >= refunded.cancellation_ms THEN 1
            WHEN receipt.receipt_id = refunded.receipt_number THEN 1
            -- Of two receipts without a date nobody knows which is the older.
            WHEN receipt.receipt_creation_date IS NULL AND source.receipt_creation_date IS NULL THEN 1
            ELSE 0
        END AS shows_refund
    FROM refunded
    CROSS JOIN receipt_purchase ON receipt_purchase.transaction_id = refunded.transaction_number
    CROSS JOIN receipt
        ON receipt.receipt_id = receipt_purchase.receipt_id
        AND receipt.app_id = refunded.app_number
    LEFT JOIN receipt AS source
        ON source.receipt_id = CASE WHEN receipt.receipt_creation_date IS NULL THEN refunded.receipt_number END
    WHERE receipt.verdict = 'trusted'
),

-- What stands inside a document is presented with it.
carried AS (
    SELECT stated.*, stated.document_number AS carrier_number
    FROM stated
    UNION ALL
    SELECT stated.*, receipt_part.receipt_id
    FROM stated
    CROSS JOIN receipt_part ON receipt_part.part_receipt_id = stated.document_number
)

SELECT
    carried.app_number,
    coalesce(submission.account_id, submission.device_id) AS owner,
    CASE WHEN submission.account_id IS NULL THEN 'device' ELSE 'account' END AS owner_kind,
    carried.purchase_number,
    carried.original_number,
    carried.product_number,
    carried.cancellation_ms,
    carried.cancellation_date,
    carried.refund_day,
    carried.document_number AS receipt_number,
    submission.submitted_at AS submitted_ms,
    carried.shows_refund
FROM carried
CROSS JOIN submission ON submission.receipt_id = carried.carrier_number
WHERE submission.device_check <> 'mismatch'
    AND coalesce(submission.account_id, submission.device_id) IS NOT NULL
UNION ALL
SELECT
    relayed.app_number,
    relayed.owner,
    relayed.owner_kind,
    refunded.purchase_number,
    refunded.original_number,
    refunded.product_number,
    refunded.cancellation_ms,
    refunded.cancellation_date,
    refunded.refund_day,
    refunded.receipt_number,
    NULL,
    1
FROM relayed_purchases AS relayed
CROSS JOIN refunded ON refunded.purchase_number = relayed.purchase_number;
