-- What a member of a family, a group or an organization holds of somebody else's purchase: the ownership by which a
-- signed transaction states the share, and the type of the revocation that withdraws it, which returns no money. Models,
-- views and reports tell shares from purchases, and withdrawals from refunds, by these rows alone.
--
-- Columns:
--   ownership   –  `inAppOwnershipType`  ownership of a member's share
--   withdrawal  –  `revocationType`      type of a revocation that withdraws such a share
CREATE VIEW model_sharing AS
SELECT 'FAMILY_SHARED' AS ownership, 'FAMILY_REVOKE' AS withdrawal
UNION ALL SELECT 'ASSIGNED', 'ASSIGNMENT_REVOKE';
