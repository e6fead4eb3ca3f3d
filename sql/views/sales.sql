-- One row per purchase, without restored copies and members' shares. This is the view to count and sum over; the view
-- purchases has every transaction as the store identifies it.
--
-- Columns:
--   environment               –           attribute 0         environment that the receipts state
--   bundle_id                 –           attribute 2         bundle identifier of the app
--   transaction_id            –           attribute 1703      the store's identifier of the transaction
--   original_transaction_id   –           attribute 1705      transaction that this one renews; its own if none is
--                                                             stated
--   product_id                –           attribute 1702      product bought
--   product_type              –           attribute 1707      0 non-consumable, 1 consumable, 2 non-renewing
--                                                             subscription, 3 auto-renewable subscription, −1 unknown
--   quantity                  –           attribute 1701      number of units bought
--   sold_at                   time        attribute 1704      when the product was bought or renewed; for a restored
--                                                             purchase, when it was first bought
--   day                       date        –                   day of the sale, in the database's time zone
--   month                     month       –                   month of the sale, in the database's time zone
--   expires                   time        attribute 1708      planned end of a subscription's period
--   offer                     –           –                   type of offer: introductory, promotional, offer_code,
--                                                             win_back, retention, other_offer, or full (no offer)
--   offer_id                  –           –                   identifier of the offer, or the code of an offer code
--   is_trial                  0 or 1      attribute 1713      1: a free trial
--   price_source              –           –                   signed: a signed transaction states the price; list: from
--                                                             your price list; none: no price is known
--   currency                  –           `currency`          currency of the price (ISO 4217)
--   price_milliunits          milliunits  `price`             amount charged, in thousandths of the currency; for
--                                                             seats, the sum of all their prices
--   storefront                –           `storefront`        country of the store (ISO 3166, three letters)
--   refunded_at               time        attribute 1712      when the purchase was refunded; of several refunds, the
--                                                             last; null if it was not refunded
--   refund_day                date        –                   day of the last refund, in the database's time zone
--   refunded_milliunits       milliunits  –                   amount refunded, in thousandths of the currency
--   revocation_reason         –           `revocationReason`  reason for the refund: 1 an issue of the app, 0 another
--   revocation_type           –           `revocationType`    `REFUND_FULL`, `REFUND_PRORATED` or another type, as in
--                                                             purchases
--   change_credit_milliunits  milliunits  –                   estimate of what the store returned when another product
--                                                             replaced the purchase: price × unused time ÷ whole time
--   is_refund_estimate        0 or 1      –                   1: the refund is estimated, since only the number of
--                                                             refunded seats is stated: the average price counts for
--                                                             each
--   app_id                    –           –                   the app's number in this database alone, as in apps
--   customer_id               –           –                   the customer's number in this database alone, as in
--                                                             customers
--   purchase_id               –           –                   the purchase's number in this database alone, as in
--                                                             entitlement_spans
CREATE VIEW sales AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    CAST(coalesce(purchase.original_transaction_id, purchase.transaction_id) AS TEXT) AS original_transaction_id,
    product.product_id,
    sale.product_type,
    sale.quantity,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN sale.start_ms >= 0 THEN sale.start_ms END / 1000, 'unixepoch') AS sold_at,
    sold.day,
    sold.month,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN sale.expires_ms >= 0 THEN sale.expires_ms END / 1000, 'unixepoch') AS expires,
    sale.offer,
    coalesce(terms.offer_id, purchase.promotional_offer_id) AS offer_id,
    sale.is_trial,
    sale.price_source,
    sale.currency,
    sale.price_milliunits,
    sale.storefront,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN sale.refund_ms >= 0 THEN sale.refund_ms END / 1000, 'unixepoch') AS refunded_at,
    refunded.day AS refund_day,
    sale.refunded_milliunits,
    sale.revocation_reason,
    sale.revocation_type,
    sale.change_credit_milliunits,
    sale.is_refund_estimate,
    sale.app_id,
    sale.customer_id,
    sale.purchase_id
FROM model_sales AS sale
JOIN purchase ON purchase.purchase_id = sale.purchase_id
JOIN app ON app.app_id = sale.app_id
LEFT JOIN product ON product.product_number = sale.product_number
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN model_days AS sold ON sold.day_number = sale.sold_day
LEFT JOIN model_days AS refunded ON refunded.day_number = sale.refund_day
WHERE sale.is_shared = 0;
