-- One row per receipt and transaction that it states, whatever the verdict of the receipt.
--
-- Columns:
--   receipt_sha256  –  –               SHA-256 of the receipt
--   environment     –  attribute 0     environment that the receipt states
--   bundle_id       –  attribute 2     bundle identifier of the app
--   transaction_id  –  attribute 1703  the store's identifier of the transaction
CREATE VIEW receipt_purchases AS
SELECT
    lower(hex(receipt.sha256)) AS receipt_sha256,
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(receipt_purchase.transaction_id AS TEXT) AS transaction_id
FROM receipt_purchase
JOIN receipt USING (receipt_id)
JOIN app USING (app_id);
