-- Removes answers to the store about transactions that no purchase of the database states: those of a person whose
-- purchases were erased, and such as an earlier removal of archives or rows has left.
DELETE FROM consumption_answer
WHERE NOT EXISTS (
    SELECT 1
    FROM purchase
    JOIN app ON app.app_id = purchase.app_id
    WHERE purchase.transaction_id = consumption_answer.transaction_id
        AND app.environment = consumption_answer.environment
);
