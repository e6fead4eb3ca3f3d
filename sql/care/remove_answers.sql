-- Deletes answers to refund requests about transactions that no purchase of the database states: those of a person
-- whose purchases were erased, and those left by earlier deletions of archives or rows.
DELETE FROM consumption_answer
WHERE NOT EXISTS (
    SELECT 1
    FROM purchase
    JOIN app ON app.app_id = purchase.app_id
    WHERE purchase.transaction_id = consumption_answer.transaction_id
        AND app.environment = consumption_answer.environment
);
