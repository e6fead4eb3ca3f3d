-- Sets the newest remaining receipt as the source of each outdated purchase and claim, and deletes those that no
-- remaining receipt states.

DELETE FROM purchase
WHERE purchase_id IN (SELECT purchase_id FROM temp.outdated_purchase WHERE next_id IS NULL);
UPDATE purchase SET receipt_id = next_id
FROM temp.outdated_purchase AS outdated
WHERE outdated.purchase_id = purchase.purchase_id;
DELETE FROM claimed_purchase
WHERE purchase_id IN (SELECT purchase_id FROM temp.outdated_claim WHERE next_id IS NULL);
UPDATE claimed_purchase SET receipt_id = next_id
FROM temp.outdated_claim AS outdated
WHERE outdated.purchase_id = claimed_purchase.purchase_id;
