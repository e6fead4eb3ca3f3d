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
SELECT
    term.app_number,
    term.original_number,
    sold.transaction_number,
    sold.product_number,
    sold.sale,
    sold.price_source,
    sold.price_milliunits,
    sold.currency,
    sold.offer_discount_type,
    sold.offer_period,
    term.start_second,
    sold.expiry_ms / 1000 AS expiry_second,
    sold.cancellation_ms / 1000 AS cancellation_second,
    sold.refund_ms / 1000 AS refund_second,
    max(
        term.start_second,
        min(
            min(term.expiry_second, coalesce(term.cancellation_second, term.expiry_second)),
            coalesce(term.next_start_second, term.expiry_second)
        )
    ) AS end_second,
    term.next_start_second,
    sold.is_upgraded,
    sold.transaction_reason
FROM terms_by_number AS term
CROSS JOIN sales_by_number AS sold ON sold.purchase_number = term.purchase_number
WHERE coalesce(sold.product_type, -1) NOT IN (0, 1, 2)
    AND term.expiry_second > term.start_second;
