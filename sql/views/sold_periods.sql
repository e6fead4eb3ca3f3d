-- The periods of subscriptions that were sold, by number: those of periods_by_number, before their price is told by the
-- month.
--
-- Columns:
--   app_number           –                   –               the app's number in this database alone
--   original_number      –                   –               the original transaction, as the loader keeps it
--   transaction_number   –                   –               the period's transaction, as the loader keeps it
--   product_number       –                   –               the product's number in this database alone
--   sale                 –                   –               as in priced_purchases
--   price_source         –                   –               as in priced_purchases
--   price_milliunits     milliunits          –               as in priced_purchases
--   currency             –                   –               as in priced_purchases
--   offer_discount_type  –                   –               as in purchases
--   offer_period         –                   –               as in purchases
--   start_second         seconds since 1970  attribute 1704  as in priced_periods
--   expiry_second        seconds since 1970  attribute 1708  as in priced_periods
--   cancellation_second  seconds since 1970  attribute 1712  as in priced_periods
--   refund_second        seconds since 1970  –               as in priced_purchases
--   end_second           seconds since 1970  –               as in priced_periods
--   next_start_second    seconds since 1970  attribute 1704  as in priced_periods
--   is_upgraded          0 or 1              –               as in priced_purchases
--   transaction_reason   –                   –               as in purchases
CREATE VIEW sold_periods AS
-- Few columns are put in order, since a sort of all takes three times as long.
WITH ordered AS (
    SELECT
        purchase_number,
        start_second,
        next_start_second,
        max(
            start_second,
            min(
                min(expiry_second, coalesce(cancellation_second, expiry_second)),
                coalesce(next_start_second, expiry_second)
            )
        ) AS end_second
    FROM (
        SELECT
            bought.purchase_number,
            bought.purchase_date / 1000 AS start_second,
            bought.expires_date / 1000 AS expiry_second,
            bought.cancellation_date / 1000 AS cancellation_second,
            lead(bought.purchase_date / 1000) OVER (
                PARTITION BY coalesce(bought.original_transaction_id, bought.transaction_id), bought.app_id
                ORDER BY
                    bought.purchase_date / 1000,
                    bought.expires_date / 1000,
                    CAST(bought.transaction_id AS TEXT)
            ) AS next_start_second
        FROM unshared_purchases AS bought
        LEFT JOIN purchase_marks AS marks ON marks.purchase_number = bought.purchase_number
        WHERE coalesce(marks.is_restored, 0) = 0
            AND coalesce(bought.product_type, -1) NOT IN (0, 1, 2)
            AND bought.expires_date / 1000 > bought.purchase_date / 1000
    ) AS placed
)

SELECT
    sold.app_number,
    sold.original_number,
    sold.transaction_number,
    sold.product_number,
    sold.sale,
    sold.price_source,
    sold.price_milliunits,
    sold.currency,
    sold.offer_discount_type,
    sold.offer_period,
    ordered.start_second,
    sold.expiry_ms / 1000 AS expiry_second,
    sold.cancellation_ms / 1000 AS cancellation_second,
    sold.refund_ms / 1000 AS refund_second,
    ordered.end_second,
    ordered.next_start_second,
    sold.is_upgraded,
    sold.transaction_reason
FROM ordered
CROSS JOIN sales_by_number AS sold ON sold.purchase_number = ordered.purchase_number;
