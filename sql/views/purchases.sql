-- One row per transaction of an app in an environment: its latest state, stated
-- by trusted receipts. Seen at: when a receipt that states it was submitted,
-- else when that receipt was created.
--
-- Columns:
--   environment               –       attribute 0     the receipts' environment
--   bundle_id                 –       attribute 2     the app
--   transaction_id            –       attribute 1703  the transaction
--   original_transaction_id   –       attribute 1705  the transaction that it renews or restores
--   product_id                –       attribute 1702  product bought
--   quantity                  –       attribute 1701  how many
--   product_type              –       attribute 1707  0 non-consumable, 1 consumable, 2 non-renewing subscription, 3
--                                                     auto-renewable subscription, −1 unknown
--   purchase_date             time    attribute 1704  when it was bought or renewed
--   original_purchase_date    time    attribute 1706  when the original was bought
--   expires_date              time    attribute 1708  end of the period, of subscriptions
--   cancellation_date         time    attribute 1712  refunded, family sharing revoked, or, in older data, upgraded
--   web_order_line_item_id    –       attribute 1711  which stays when a purchase is restored
--   is_trial_period           0 or 1  attribute 1713  1: a free trial
--   is_in_intro_offer_period  0 or 1  attribute 1719  1: at an introductory price
--   promotional_offer_id      –       attribute 1721  offer that was redeemed
--   first_seen_at             time    line            when a receipt that states it was first seen
--   last_seen_at              time    line            when one was last seen
--   receipt_sha256            –       –               the receipt that states this state
CREATE VIEW purchases AS
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
            AND presented.verdict = 'trusted'
    ) / 1000, 'unixepoch') AS first_seen_at,
    strftime('%Y-%m-%dT%H:%M:%SZ', (
        SELECT max(coalesce(submission.submitted_at, presented.receipt_creation_date))
        FROM receipt_purchase
        JOIN receipt AS presented USING (receipt_id)
        JOIN submission USING (receipt_id)
        WHERE receipt_purchase.transaction_id = stated.transaction_id
            AND presented.app_id = stated.app_id
            AND presented.verdict = 'trusted'
    ) / 1000, 'unixepoch') AS last_seen_at,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM purchase AS stated
JOIN app USING (app_id)
JOIN receipt USING (receipt_id)
LEFT JOIN product USING (product_number);
