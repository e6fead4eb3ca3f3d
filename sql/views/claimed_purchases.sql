-- One row per transaction, verdict and kind of receipt: what receipts that are
-- not trusted claim.
--
-- Columns:
--   environment               –       attribute 0     as in `purchases`, and so the following
--   bundle_id                 –       attribute 2     as in purchases
--   transaction_id            –       attribute 1703  as in purchases
--   original_transaction_id   –       attribute 1705  as in purchases
--   product_id                –       attribute 1702  as in purchases
--   quantity                  –       attribute 1701  as in purchases
--   product_type              –       attribute 1707  as in purchases
--   purchase_date             time    attribute 1704  as in purchases
--   original_purchase_date    time    attribute 1706  as in purchases
--   expires_date              time    attribute 1708  as in purchases
--   cancellation_date         time    attribute 1712  as in purchases
--   web_order_line_item_id    –       attribute 1711  as in purchases
--   is_trial_period           0 or 1  attribute 1713  as in purchases
--   is_in_intro_offer_period  0 or 1  attribute 1719  as in purchases
--   promotional_offer_id      –       attribute 1721  as in purchases
--   first_seen_at             time    line            as in purchases
--   last_seen_at              time    line            as in purchases
--   receipt_sha256            –       –               as in purchases
--   verdict                   –       –               of the receipts that claim it
CREATE VIEW claimed_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(stated.transaction_id AS TEXT) AS transaction_id,
    CAST(stated.original_transaction_id AS TEXT) AS original_transaction_id,
    product.product_id,
    stated.quantity,
    stated.product_type,
    strftime('%Y-%m-%dT%H:%M:%SZ', stated.purchase_date / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', stated.original_purchase_date / 1000, 'unixepoch')
        AS original_purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', stated.expires_date / 1000, 'unixepoch') AS expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', stated.cancellation_date / 1000, 'unixepoch')
        AS cancellation_date,
    stated.web_order_line_item_id,
    stated.is_trial_period,
    stated.is_in_intro_offer_period,
    stated.promotional_offer_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', (
        SELECT min(coalesce(submission.submitted_at, presented.receipt_creation_date))
        FROM receipt_purchase
        JOIN receipt AS presented USING (receipt_id)
        JOIN submission USING (receipt_id)
        WHERE receipt_purchase.transaction_id = stated.transaction_id
            AND presented.app_id = stated.app_id
            AND presented.verdict = stated.verdict
            AND presented.kind = stated.kind
    ) / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', (
        SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date))
        FROM receipt_purchase
        JOIN receipt AS presented USING (receipt_id)
        JOIN submission USING (receipt_id)
        WHERE receipt_purchase.transaction_id = stated.transaction_id
            AND presented.app_id = stated.app_id
            AND presented.verdict = stated.verdict
            AND presented.kind = stated.kind
    ) / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(receipt.sha256)) AS receipt_sha256,
    stated.verdict
FROM claimed_purchase AS stated
JOIN app USING (app_id)
JOIN receipt USING (receipt_id)
LEFT JOIN product USING (product_number);
