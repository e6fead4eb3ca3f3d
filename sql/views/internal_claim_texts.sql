-- Purchases that untrusted documents state, by their number in the database, with times as text.
--
-- Columns:
--   purchase_number  –     –               number of the purchase that untrusted documents state, in this database
--                                          alone
--   verdict          –     –               why the documents that state the purchase are not trusted; see docs/trust.md
--   transaction_id   –     attribute 1703  the store's identifier of the transaction
--   product_id       –     attribute 1702  product that the untrusted document states
--   purchase_date    time  attribute 1704  when the product was bought or renewed, as the document states
--   expires_date     time  attribute 1708  end of a subscription's period
--   receipt_sha256   –     –               SHA-256 of the untrusted document that states the purchase last
CREATE VIEW internal_claim_texts AS
SELECT
    claim.purchase_id AS purchase_number,
    claim.verdict,
    CAST(claim.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN claim.purchase_date >= 0 THEN claim.purchase_date END / 1000, 'unixepoch') AS purchase_date,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE WHEN claim.expires_date >= 0 THEN claim.expires_date END / 1000, 'unixepoch') AS expires_date,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM claimed_purchase AS claim
JOIN receipt ON receipt.receipt_id = claim.receipt_id
LEFT JOIN product ON product.product_number = claim.product_number;
