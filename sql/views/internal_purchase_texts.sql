-- Purchases by their number in the database, with times as text.
--
-- Columns:
--   purchase_number    –     –               the purchase's number in this database alone
--   transaction_id     –     attribute 1703  the store's identifier of the transaction
--   product_id         –     attribute 1702  product bought
--   purchase_date      time  attribute 1704  when the product was bought or renewed
--   expires_date       time  attribute 1708  end of a subscription's period
--   cancellation_date  time  attribute 1712  when the purchase was refunded or revoked, or, in older data, upgraded to
--                                            another product
--   receipt_sha256     –     –               SHA-256 of the receipt that states the latest state of the transaction
CREATE VIEW internal_purchase_texts AS
SELECT
    purchase.purchase_id AS purchase_number,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN purchase.purchase_date >= 0 THEN purchase.purchase_date END / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN purchase.expires_date >= 0 THEN purchase.expires_date END / 1000, 'unixepoch') AS expires_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN purchase.cancellation_date >= 0 THEN purchase.cancellation_date END / 1000, 'unixepoch') AS cancellation_date,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM purchase
JOIN receipt ON receipt.receipt_id = purchase.receipt_id
LEFT JOIN product ON product.product_number = purchase.product_number;
