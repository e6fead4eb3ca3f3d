-- One row per purchase that is a family member's share.
--
-- Columns:
--   app_number      –  –               the app's number in this database alone
--   transaction_id  –  attribute 1703  the transaction
CREATE VIEW family_shares AS
SELECT app_id AS app_number, CAST(transaction_id AS TEXT) AS transaction_id
FROM purchase_terms
WHERE verdict = 'trusted'
    AND ownership = 'FAMILY_SHARED';
