-- When periods of subscriptions began, by number: what is bought again and what devices restored is one begin.
-- Purchases that state no original transaction, and members' shares, are left out.
--
-- Columns:
--   app_number       –                        –               the app's number in this database alone
--   original_number  –                        –               the original transaction, as the loader keeps it
--   start_ms         milliseconds since 1970  attribute 1704  the begin
--   end_ms           milliseconds since 1970  –               the expiration, or the cancellation; not before the begin
--   is_paid          0 or 1                   –               1: no trial
--   product_place    –                        –               the product's place by name in this database alone; of several
--                                                             the first; null where none is stated
CREATE VIEW begins_by_number AS
WITH named AS (
    SELECT product_number, row_number() OVER (ORDER BY product_id) AS place FROM product
)

SELECT
    bought.app_id AS app_number,
    bought.original_transaction_id AS original_number,
    bought.purchase_date AS start_ms,
    -- Of copies one states a cancellation before another does; that one counts.
    min(
        CASE
            WHEN bought.cancellation_date < bought.purchase_date THEN bought.purchase_date
            ELSE coalesce(bought.cancellation_date, bought.expires_date)
        END
    ) AS end_ms,
    max(CASE WHEN coalesce(bought.is_trial_period, 0) = 0 THEN 1 ELSE 0 END) AS is_paid,
    min(named.place) AS product_place
FROM unshared_purchases AS bought
LEFT JOIN named ON named.product_number = bought.product_number
WHERE bought.expires_date > bought.purchase_date
    AND bought.original_transaction_id IS NOT NULL
-- The order of an index, so that nothing is sorted.
GROUP BY bought.original_transaction_id, bought.app_id, bought.purchase_date;
