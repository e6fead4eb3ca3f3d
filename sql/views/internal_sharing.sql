-- The ownership by which a signed transaction states a member's share (of a family, group or organization) of somebody
-- else's purchase, and the revocation type that withdraws the share without a refund. Models, views and reports
-- distinguish shares from purchases, and withdrawals from refunds, by these rows alone.
--
-- Columns:
--   ownership   –  `inAppOwnershipType`  ownership of a member's share
--   withdrawal  –  `revocationType`      type of a revocation that withdraws a member's share without a refund
CREATE VIEW internal_sharing AS
SELECT 'FAMILY_SHARED' AS ownership, 'FAMILY_REVOKE' AS withdrawal
UNION ALL SELECT 'ASSIGNED', 'ASSIGNMENT_REVOKE';
