-- One row per purchase with a date, copies that restores made left out: what was
-- paid for it, and what was given back.
--
-- The price is the one that the store signed; else that of the user's list, where
-- the list has the product in one currency alone up to that day. An introductory
-- period takes the list's introductory price; other offers, of which the list knows
-- nothing, take none. A trial costs nothing.
--
-- A refund is a cancellation, but for those by an upgrade, of a family member's
-- share, and of another type than `REFUND_FULL` and `REFUND_PRORATED` where a type is
-- told. It gives back the told share of the price, to the nearest milliunit, half of
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
WITH listed AS (
    -- A price holds until the next in its currency. From the day on which a product has prices in two currencies it
    -- has none: which was paid, nothing says.
    SELECT
        product.product_number,
        list.currency,
        CAST(floor(list.price * 1000 + 0.5) AS BIGINT) AS price_milliunits,
        CAST(floor(list.introductory_price * 1000 + 0.5) AS BIGINT) AS introductory_milliunits,
        list.valid_from,
        CASE WHEN list.least_currency = list.greatest_currency THEN 1 ELSE 0 END AS prices,
        lead(list.valid_from) OVER (PARTITION BY list.product_id ORDER BY list.valid_from) AS valid_until
    FROM (
        SELECT
            product_prices.product_id,
            max(product_prices.currency) AS currency,
            max(CAST(product_prices.price AS DOUBLE)) AS price,
            max(CAST(product_prices.introductory_price AS DOUBLE)) AS introductory_price,
            coalesce(product_prices.valid_from, '') AS valid_from,
            min(min(product_prices.currency)) OVER running AS least_currency,
            max(max(product_prices.currency)) OVER running AS greatest_currency
        FROM product_prices
        GROUP BY product_prices.product_id, coalesce(product_prices.valid_from, '')
        WINDOW running AS (
            PARTITION BY product_prices.product_id ORDER BY coalesce(product_prices.valid_from, '')
        )
    ) AS list
    JOIN product ON product.product_id = list.product_id
),

-- Few subscriptions had several products: only their periods are compared.
cut_short AS (
    SELECT DISTINCT cut.purchase_id
    FROM (
        SELECT original_transaction_id, app_id
        FROM purchase
        WHERE original_transaction_id IS NOT NULL
        GROUP BY original_transaction_id, app_id
        HAVING min(product_number) <> max(product_number)
    ) AS mixed
    CROSS JOIN purchase AS cut
        ON cut.original_transaction_id = mixed.original_transaction_id
        AND cut.app_id = mixed.app_id
    CROSS JOIN purchase AS upgrade
        ON upgrade.original_transaction_id = cut.original_transaction_id
        AND upgrade.app_id = cut.app_id
        AND upgrade.product_number <> cut.product_number
        AND upgrade.expires_date > upgrade.purchase_date
        AND upgrade.purchase_date > cut.purchase_date
        AND upgrade.purchase_date < cut.expires_date
),

told AS (
    SELECT
        state.app_number,
        state.purchase_number,
        state.transaction_id,
        state.original_transaction_id,
        state.product_number,
        state.product_type,
        state.quantity,
        state.sold_ms,
        state.sold_ms + (SELECT ms FROM zone_offset) AS sold_at_zone,
        state.expiry_ms,
        state.cancellation_ms,
        state.is_trial_period,
        state.is_family,
        terms.price_milliunits,
        terms.currency,
        terms.storefront,
        terms.offer_type,
        coalesce(terms.offer_id, purchase.promotional_offer_id) AS offer_id,
        terms.offer_discount_type,
        terms.offer_period,
        terms.transaction_reason,
        terms.app_account_token,
        terms.app_transaction_id,
        revoked.revocation_reason,
        revoked.revocation_type,
        revoked.revoked_share,
        CASE
            WHEN terms.offer_type = 1 OR purchase.is_in_intro_offer_period = 1 THEN 'introductory'
            WHEN terms.offer_type = 2 THEN 'promotional'
            WHEN terms.offer_type = 3 THEN 'offer_code'
            WHEN terms.offer_type = 4 THEN 'win_back'
            WHEN terms.offer_type IS NOT NULL THEN 'other_offer'
            WHEN purchase.promotional_offer_id IS NOT NULL THEN 'promotional'
            ELSE 'full'
        END AS offer,
        state.is_upgraded AS is_canceled_by_upgrade,
        CASE
            WHEN terms.is_upgraded = 1 OR state.is_upgraded = 1 THEN 1
            WHEN state.cancellation_ms IS NULL AND cut_short.purchase_id IS NOT NULL THEN 1
            ELSE 0
        END AS is_upgraded
    FROM purchase_states AS state
    JOIN purchase ON purchase.purchase_id = state.purchase_number
    LEFT JOIN purchase_terms AS terms ON terms.terms_id = state.told_terms_number
    LEFT JOIN latest_revocations AS revoked
        ON revoked.terms_id = terms.terms_id
        AND revoked.revocation_second = state.cancellation_ms / 1000
    LEFT JOIN cut_short ON cut_short.purchase_id = state.purchase_number
    WHERE state.is_restored = 0
        AND state.sold_ms IS NOT NULL
),

priced AS (
    SELECT
        told.*,
        CASE
            WHEN told.price_milliunits IS NOT NULL THEN 'signed'
            WHEN listed.prices = 1 AND (
                told.is_trial_period = 1
                OR told.offer = 'full'
                OR (told.offer = 'introductory' AND listed.introductory_milliunits IS NOT NULL)
            ) THEN 'list'
            ELSE 'none'
        END AS price_source,
        CASE
            WHEN told.price_milliunits IS NOT NULL THEN told.price_milliunits
            WHEN listed.prices = 1 THEN CASE
                WHEN told.is_trial_period = 1 THEN 0
                WHEN told.offer = 'full' THEN listed.price_milliunits * told.quantity
                WHEN told.offer = 'introductory' THEN listed.introductory_milliunits * told.quantity
            END
        END AS paid_milliunits,
        CASE
            WHEN told.price_milliunits IS NOT NULL THEN told.currency
            WHEN listed.prices = 1 THEN CASE
                WHEN told.is_trial_period = 1
                    OR told.offer = 'full'
                    OR (told.offer = 'introductory' AND listed.introductory_milliunits IS NOT NULL)
                    THEN listed.currency
            END
        END AS paid_currency
    FROM told
    LEFT JOIN listed
        ON listed.product_number = told.product_number
        AND listed.valid_from <= strftime('%Y-%m-%d', told.sold_at_zone / 1000, 'unixepoch')
        AND coalesce(listed.valid_until, '9999-12-31') > strftime('%Y-%m-%d', told.sold_at_zone / 1000, 'unixepoch')
),

refunded AS (
    SELECT
        priced.*,
        CASE
            WHEN priced.is_family = 1 THEN 'family'
            WHEN priced.paid_milliunits = 0 OR (priced.is_trial_period = 1 AND priced.paid_milliunits IS NULL) THEN 'free'
            ELSE priced.offer
        END AS sale,
        CASE
            WHEN priced.is_family = 1 OR priced.is_canceled_by_upgrade = 1 THEN NULL
            WHEN priced.paid_milliunits = 0 OR (priced.is_trial_period = 1 AND priced.paid_milliunits IS NULL) THEN NULL
            WHEN coalesce(priced.revocation_type, 'REFUND_FULL') IN ('REFUND_FULL', 'REFUND_PRORATED')
                THEN priced.cancellation_ms
        END AS refund_ms,
        -- The store states thousandths of a percent.
        CAST(floor(coalesce(priced.revoked_share, 1.0) * 100000 + 0.5) AS BIGINT) AS milli_percent
    FROM priced
)

SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    refunded.transaction_id,
    refunded.original_transaction_id,
    product.product_id,
    refunded.product_type,
    refunded.quantity,
    refunded.sold_ms / 1000 AS purchase_second,
    (refunded.sold_ms + (SELECT ms FROM zone_offset)) / 86400000 AS purchase_day,
    refunded.expiry_ms / 1000 AS expiry_second,
    refunded.cancellation_ms / 1000 AS cancellation_second,
    refunded.price_source,
    refunded.paid_milliunits AS price_milliunits,
    refunded.paid_currency AS currency,
    refunded.storefront,
    refunded.sale,
    CASE
        WHEN refunded.offer <> 'full' THEN refunded.offer
        -- A receipt names no offer of a trial.
        WHEN refunded.is_trial_period = 1 THEN 'introductory'
    END AS offer,
    refunded.is_upgraded,
    refunded.refund_ms / 1000 AS refund_second,
    (refunded.refund_ms + (SELECT ms FROM zone_offset)) / 86400000 AS refund_day,
    CASE
        WHEN refunded.refund_ms IS NOT NULL THEN (refunded.paid_milliunits * refunded.milli_percent + 50000) / 100000
    END AS refunded_milliunits,
    CASE WHEN refunded.refund_ms IS NOT NULL AND refunded.milli_percent < 100000 THEN 1 ELSE 0 END
        AS is_refunded_in_part,
    refunded.revocation_reason,
    refunded.revocation_type,
    refunded.revoked_share,
    refunded.offer_type,
    refunded.offer_id,
    refunded.offer_discount_type,
    refunded.offer_period,
    refunded.transaction_reason,
    refunded.app_account_token,
    refunded.app_transaction_id,
    refunded.app_number,
    refunded.purchase_number
FROM refunded
JOIN app ON app.app_id = refunded.app_number
LEFT JOIN product ON product.product_number = refunded.product_number;
