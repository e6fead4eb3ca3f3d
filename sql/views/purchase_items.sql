-- One row per transaction and item (SKU) of a sale by the Advanced Commerce API, as the transaction's newest trusted
-- document states it. Refunded money is stated by item; access to an item ends on its own date. Values of the next
-- renewal come from the newest trusted renewal info of the subscription, and are in the rows of its newest transaction.
--
-- Columns:
--   environment                  –           `environment`           environment that the receipts state
--   bundle_id                    –           `bundleId`              bundle identifier of the app
--   transaction_id               –           `transactionId`         the store's identifier of the transaction
--   sku                          –           `SKU`                   SKU of the item
--   display_name                 –           `displayName`           the item's name, as the customer sees it
--   description                  –           `description`           the item's description, as the customer sees it
--   price_milliunits             milliunits  `price`                 the item's price, in thousandths of the currency
--   currency                     –           `currency`              currency of the transaction (ISO 4217)
--   offer_period                 –           `offer.period`          length of a period of the item's offer (ISO 8601)
--   offer_period_count           –           `offer.periodCount`     number of periods of the item's offer
--   offer_price_milliunits       milliunits  `offer.price`           price of the item's offer
--   offer_reason                 –           `offer.reason`          why the offer is made: `ACQUISITION`, `WIN_BACK`
--                                                                    or `RETENTION`
--   refunds                      refunds     `refunds`               number of refunds of the item
--   refunded_milliunits          milliunits  `refundAmount`          amount refunded for the item; 0 if nothing was
--   first_refund_date            time        `refundDate`            when the item was first refunded
--   last_refund_date             time        `refundDate`            when the item was last refunded
--   refund_types                 –           `refundType`            kinds of the item's refunds: `FULL`, `PRORATED`,
--                                                                    `CUSTOM`, or several of them, separated by commas
--   refund_reasons               –           `refundReason`          reason of the refund; of several reasons, the
--                                                                    first and the last in alphabetical order
--   revoked_date                 time        `revocationDate`        when access to the item ended
--   seats_revoked                seats       `revokedSeatQuantity`   number of seats that were refunded
--   partners                     –           `partners`              who sells the item together with the app, in JSON
--   seat_price_tiers             –           `seatPriceTiers`        prices of seats that the app requested, in JSON
--   next_price_milliunits        milliunits  `price`                 the item's price at the next renewal
--   price_increase_milliunits    milliunits  `priceIncreaseInfo`     the item's higher price that is announced
--   price_increase_status        –           `priceIncreaseInfo`     status of the price increase: `SCHEDULED`,
--                                                                    `PENDING` or `ACCEPTED`
--   dependent_skus               –           `priceIncreaseInfo`     items whose price rises together with this item's,
--                                                                    in JSON
--   commerce_period              –           `period`                of the whole sale: length of a period (ISO 8601)
--   request_reference_id         –           `requestReferenceId`    of the whole sale: identifier of the app's request
--   sale_name                    –           `descriptors`           of the whole sale: name that the customer sees
--   sale_description             –           `descriptors`           of the whole sale: description that the customer
--                                                                    sees
--   tax_code                     –           `taxCode`               of the whole sale: code of the tax category
--   tax_rate                     –           `taxRate`               of the whole sale: tax rate, as text
--   tax_exclusive_milliunits     milliunits  `taxExclusivePrice`     of the whole sale: price without tax
--   estimated_tax_milliunits     milliunits  `estimatedTax`          of the whole sale: estimated tax
--   receipt_sha256               –           –                       SHA-256 of the document that states the item
CREATE VIEW purchase_items AS
WITH sold AS (
    SELECT
        commerce.receipt_id,
        receipt.app_id,
        receipt_purchase.transaction_id,
        row_number() OVER (
            PARTITION BY receipt_purchase.transaction_id, receipt.app_id
            ORDER BY receipt.receipt_creation_date DESC, receipt.sha256 DESC
        ) AS place
    FROM commerce
    JOIN receipt ON receipt.receipt_id = commerce.receipt_id
    JOIN receipt_purchase ON receipt_purchase.receipt_id = commerce.receipt_id
    WHERE receipt.verdict = 'trusted'
),

renewing AS (
    SELECT
        commerce.receipt_id,
        renewal.original_transaction_id,
        renewal.environment,
        row_number() OVER (
            PARTITION BY renewal.original_transaction_id, renewal.environment
            ORDER BY renewal.signed_at DESC, receipt.sha256 DESC
        ) AS place
    FROM commerce
    JOIN renewal ON renewal.receipt_id = commerce.receipt_id
    JOIN receipt ON receipt.receipt_id = commerce.receipt_id
),

next_items AS (
    SELECT
        renewing.original_transaction_id,
        renewing.environment,
        item.sku,
        sum(item.price_milliunits) AS price_milliunits,
        sum(item.price_increase_milliunits) AS price_increase_milliunits,
        min(item.price_increase_status) AS price_increase_status,
        min(item.dependent_skus) AS dependent_skus
    FROM renewing
    JOIN commerce_item AS item ON item.receipt_id = renewing.receipt_id
    WHERE renewing.place = 1
    GROUP BY renewing.original_transaction_id, renewing.environment, item.sku
),

refunded AS (
    SELECT
        item.receipt_id,
        item.sku,
        count(refund.receipt_id) AS refunds,
        coalesce(sum(refund.refund_milliunits), 0) AS refunded_milliunits,
        min(refund.refund_date) AS first_date,
        max(refund.refund_date) AS last_date,
        max(CASE WHEN refund.refund_type = 'CUSTOM' THEN ',CUSTOM' ELSE '' END) AS custom,
        max(CASE WHEN refund.refund_type = 'FULL' THEN ',FULL' ELSE '' END) AS full_type,
        max(CASE WHEN refund.refund_type = 'PRORATED' THEN ',PRORATED' ELSE '' END) AS prorated,
        max(CASE WHEN refund.refund_type IN ('CUSTOM', 'FULL', 'PRORATED') THEN '' ELSE ',' || refund.refund_type END)
            AS other_type,
        min(refund.refund_reason) AS first_reason,
        max(refund.refund_reason) AS last_reason,
        sum(refund.seats_revoked) AS seats_revoked
    FROM commerce_refund AS refund
    JOIN commerce_item AS item ON item.receipt_id = refund.receipt_id AND item.item = refund.item
    GROUP BY item.receipt_id, item.sku
),

items AS (
    SELECT
        item.receipt_id,
        item.sku,
        min(item.display_name) AS display_name,
        min(item.description) AS description,
        sum(item.price_milliunits) AS price_milliunits,
        min(item.offer_period) AS offer_period,
        min(item.offer_period_count) AS offer_period_count,
        sum(item.offer_price_milliunits) AS offer_price_milliunits,
        min(item.offer_reason) AS offer_reason,
        CASE WHEN count(item.revoked_date) = count(item.receipt_id) THEN max(item.revoked_date) END AS revoked_date,
        min(item.partners) AS partners,
        min(item.seat_price_tiers) AS seat_price_tiers
    FROM commerce_item AS item
    GROUP BY item.receipt_id, item.sku
),

-- Numbers the transactions of each subscription, newest first. Only the rows of the newest (place 1) have the values of
-- the next renewal.
latest AS (
    SELECT
        sold.transaction_id,
        sold.app_id,
        sold.receipt_id,
        coalesce(purchase.original_transaction_id, purchase.transaction_id) AS original_transaction_id,
        row_number() OVER (
            PARTITION BY coalesce(purchase.original_transaction_id, purchase.transaction_id), sold.app_id
            ORDER BY purchase.purchase_date DESC, purchase.transaction_id DESC
        ) AS place
    FROM sold
    JOIN purchase ON purchase.transaction_id = sold.transaction_id AND purchase.app_id = sold.app_id
    WHERE sold.place = 1
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(latest.transaction_id AS TEXT) AS transaction_id,
    items.sku,
    items.display_name,
    items.description,
    items.price_milliunits,
    terms.currency,
    items.offer_period,
    items.offer_period_count,
    items.offer_price_milliunits,
    items.offer_reason,
    coalesce(refunded.refunds, 0) AS refunds,
    coalesce(refunded.refunded_milliunits, 0) AS refunded_milliunits,
    strftime('%Y-%m-%dT%H:%M:%SZ', refunded.first_date / 1000, 'unixepoch') AS first_refund_date,
    strftime('%Y-%m-%dT%H:%M:%SZ', refunded.last_date / 1000, 'unixepoch') AS last_refund_date,
    nullif(substr(refunded.custom || refunded.full_type || refunded.prorated || coalesce(refunded.other_type, ''), 2), '')
        AS refund_types,
    CASE
        WHEN refunded.first_reason = refunded.last_reason THEN refunded.first_reason
        ELSE refunded.first_reason || ',' || refunded.last_reason
    END AS refund_reasons,
    strftime('%Y-%m-%dT%H:%M:%SZ', items.revoked_date / 1000, 'unixepoch') AS revoked_date,
    refunded.seats_revoked,
    items.partners,
    items.seat_price_tiers,
    next_items.price_milliunits AS next_price_milliunits,
    next_items.price_increase_milliunits,
    next_items.price_increase_status,
    next_items.dependent_skus,
    commerce.commerce_period,
    commerce.request_reference_id,
    commerce.display_name AS sale_name,
    commerce.description AS sale_description,
    commerce.tax_code,
    commerce.tax_rate,
    commerce.tax_exclusive_price_milliunits AS tax_exclusive_milliunits,
    commerce.estimated_tax_milliunits,
    lower(hex(receipt.sha256)) AS receipt_sha256
FROM latest
JOIN app ON app.app_id = latest.app_id
JOIN receipt ON receipt.receipt_id = latest.receipt_id
JOIN commerce ON commerce.receipt_id = latest.receipt_id
JOIN items ON items.receipt_id = latest.receipt_id
LEFT JOIN refunded ON refunded.receipt_id = latest.receipt_id AND coalesce(refunded.sku, '') = coalesce(items.sku, '')
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = latest.transaction_id
    AND terms.app_id = latest.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN next_items
    ON next_items.original_transaction_id = CASE WHEN latest.place = 1 THEN latest.original_transaction_id END
    AND next_items.environment = app.environment
    AND coalesce(next_items.sku, '') = coalesce(items.sku, '');
