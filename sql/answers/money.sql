-- What the customers of ?1, a list of purchases in JSON, paid and had refunded, by currency.
--
-- Columns:
--   purchase_id          of the list
--   currency             null where no price is known
--   digits               decimals of the currency
--   purchases            paid purchases
--   paid_milliunits, refunded_milliunits
--   refunds              refunds, without that of the purchase in the list
--   first_ms             the customer's first transaction
WITH asked AS (
    SELECT sale.purchase_id, sale.customer_id, customer.first_ms
    FROM json_each(?1) AS listed
    CROSS JOIN model_sales AS sale ON sale.purchase_id = listed.value
    CROSS JOIN model_customers AS customer ON customer.customer_id = sale.customer_id
)

SELECT
    asked.purchase_id, sale.currency,
    coalesce((SELECT digits.digits FROM model_currency_digits AS digits WHERE digits.currency = sale.currency), 2) AS digits,
    count(*) AS purchases,
    coalesce(sum(sale.price_milliunits), 0) AS paid_milliunits,
    coalesce(sum(sale.refunded_milliunits), 0) AS refunded_milliunits,
    sum(CASE WHEN sale.refund_ms IS NOT NULL AND sale.purchase_id <> asked.purchase_id THEN 1 ELSE 0 END) AS refunds,
    asked.first_ms
FROM model_sales AS sale
CROSS JOIN asked ON asked.customer_id = sale.customer_id
WHERE sale.price_milliunits > 0
    OR (sale.price_milliunits IS NULL AND sale.is_trial = 0)
GROUP BY asked.purchase_id, sale.currency
ORDER BY 1, 2;
