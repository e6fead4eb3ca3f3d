-- One row per purchase that is a family member's share, by number.
--
-- Columns:
--   app_number       –  –  the app's number in this database alone
--   purchase_number  –  –  the purchase's number in this database alone
CREATE VIEW family_shares AS
SELECT shared.app_id AS app_number, shared.purchase_id AS purchase_number
FROM purchase_terms AS terms
CROSS JOIN purchase AS shared
    ON shared.transaction_id = terms.transaction_id
    AND shared.app_id = terms.app_id
WHERE terms.verdict = 'trusted'
    AND terms.ownership = 'FAMILY_SHARED';
