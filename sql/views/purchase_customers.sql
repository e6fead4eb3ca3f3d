-- One row per purchase but for family members' shares: the one customer to whom it
-- belongs. All purchases of one original transaction, such as the periods of a
-- subscription, belong to one, because one Apple Account pays for them.
--
-- The customer is the account that presented a purchase of that original first, of
-- several at the same moment the least by name. Where no account presented any, it is
-- the account that first presented another purchase of the same app transaction; else
-- the app transaction; else the account token; else the device that presented it
-- first; else nobody is known, and the original transaction stands for the customer.
-- Of several tokens or app transactions of one original the least counts.
--
-- Owners are those whom trusted documents came from, without those whose hash belongs
-- to another device. A document without time counts from when the store made it.
--
-- Columns:
--   environment              –  attribute 0     as in purchases
--   bundle_id                –  attribute 2     as in purchases
--   transaction_id           –  attribute 1703  the transaction
--   original_transaction_id  –  attribute 1705  the original; the transaction's own where none is stated
--   customer                 –  –               name of the customer, which is one only together with customer_kind
--   customer_kind            –  –               `account`, `app_transaction`, `token`, `device`, or `original` where nobody
--                                               is known
--   app_number               –  –               the app's number in this database alone, to count by
--   purchase_number          –  –               the same of the purchase
CREATE VIEW purchase_customers AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(bought.transaction_id AS TEXT) AS transaction_id,
    CAST(customers.original_number AS TEXT) AS original_transaction_id,
    customers.customer,
    customers.customer_kind,
    bought.app_id AS app_number,
    bought.purchase_id AS purchase_number
FROM customers_by_number AS customers
JOIN purchase AS bought
    ON coalesce(bought.original_transaction_id, bought.transaction_id) = customers.original_number
    AND bought.app_id = customers.app_number
JOIN app ON app.app_id = bought.app_id
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = bought.transaction_id
    AND terms.app_id = bought.app_id
    AND terms.verdict = 'trusted'
WHERE coalesce(terms.ownership, '') <> 'FAMILY_SHARED';
