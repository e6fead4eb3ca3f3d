-- One row per purchase with a date, copies that restores made left out: what was
-- paid for it, and what was given back.
--
-- The price is the one that the store signed; else that of the user's list, where
-- the list has the product in one currency alone up to that day. An introductory
-- period takes the list's introductory price; other offers, of which the list knows
-- nothing, take none. A trial costs nothing.
--
-- A refund is a cancellation, but for those by an upgrade, of a family member's
-- share, and of a type that gives no money back (`FAMILY_REVOKE`, `ASSIGNMENT_REVOKE`).
-- One of a type that is not known counts: the store may have new ones. It gives back the told share of the price, to the nearest milliunit, half of
-- one upwards; the whole where no share is told.
--
-- Columns:
--   environment              –                   attribute 0      as in purchases
--   bundle_id                –                   attribute 2      as in purchases
--   transaction_id           –                   attribute 1703   the transaction
--   original_transaction_id  –                   attribute 1705   the original; the transaction's own where none is
--                                                                 stated
--   product_id               –                   attribute 1702   product bought
--   product_type             –                   attribute 1707   as in purchases
--   quantity                 –                   attribute 1701   how many; 1 where none is stated
--   purchase_second          seconds since 1970  attribute 1704   moment of the purchase
--   purchase_day             days since 1970     attribute 1704   day of the purchase
--   expiry_second            seconds since 1970  attribute 1708   moment of the expiration
--   cancellation_second      seconds since 1970  attribute 1712   moment of the cancellation
--   price_source             –                   –                `signed`, `list` or `none`
--   price_milliunits         milliunits          –                price for the quantity, in thousandths of the currency;
--                                                                 null where the source is `none`
--   currency                 –                   –                currency of the price; null where there is none
--   storefront               –                   `storefront`     as in purchases
--   sale                     –                   –                `full` price, `introductory`, `promotional`,
--                                                                 `offer_code`, `win_back`, `other_offer`; `free`: a
--                                                                 trial, or a price of 0; `family`: a member's share
--   offer                    –                   –                offer of the period, as sale names it, also of what cost
--                                                                 nothing; null where there is none
--   is_upgraded              0 or 1              –                1: another product of the subscription took its place
--                                                                 before its end
--   refund_second            seconds since 1970  –                moment of the refund; null where there is none, and of
--                                                                 what cost nothing
--   refund_day               days since 1970     –                day of the same
--   refunded_milliunits      milliunits          –                given back; null where there is no refund or no price
--   is_refunded_in_part      0 or 1              –                1: a share below the whole was given back
--   revocation_reason        –                   –                as in purchases
--   revocation_type          –                   –                as in purchases
--   revoked_share            0 to 1              –                as in purchases
--   offer_type               –                   `offerType`      as in purchases
--   offer_id                 –                   –                the offer's identifier or code
--   offer_discount_type      –                   –                as in purchases
--   offer_period             –                   –                as in purchases
--   transaction_reason       –                   –                as in purchases
--   app_account_token        –                   –                as in purchases
--   app_transaction_id       –                   –                as in purchases
--   app_number               –                   –                the app's number in this database alone, to count by
--   purchase_number          –                   –                the same of the purchase
CREATE VIEW priced_purchases AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(sold.transaction_number AS TEXT) AS transaction_id,
    CAST(sold.original_number AS TEXT) AS original_transaction_id,
    product.product_id,
    sold.product_type,
    sold.quantity,
    sold.sold_ms / 1000 AS purchase_second,
    sold.purchase_day,
    sold.expiry_ms / 1000 AS expiry_second,
    sold.cancellation_ms / 1000 AS cancellation_second,
    sold.price_source,
    sold.price_milliunits,
    sold.currency,
    sold.storefront,
    sold.sale,
    sold.offer,
    sold.is_upgraded,
    sold.refund_ms / 1000 AS refund_second,
    sold.refund_day,
    sold.refunded_milliunits,
    sold.is_refunded_in_part,
    sold.revocation_reason,
    sold.revocation_type,
    sold.revoked_share,
    sold.offer_type,
    sold.offer_id,
    sold.offer_discount_type,
    sold.offer_period,
    sold.transaction_reason,
    sold.app_account_token,
    sold.app_transaction_id,
    sold.app_number,
    sold.purchase_number
FROM sales_by_number AS sold
JOIN app ON app.app_id = sold.app_number
LEFT JOIN product ON product.product_number = sold.product_number;
