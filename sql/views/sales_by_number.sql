-- The purchases of priced_purchases by number: what is worked out of them, without names.
--
-- Columns:
--   app_number           –                        –               the app's number in this database alone
--   purchase_number      –                        –               the purchase's number in this database alone
--   transaction_number   –                        attribute 1703  the transaction, as the loader keeps it
--   original_number      –                        attribute 1705  the original; the transaction itself where none is stated
--   product_number       –                        –               the product's number in this database alone
--   product_type         –                        attribute 1707  as in purchases
--   quantity             –                        attribute 1701  as in priced_purchases
--   sold_ms              milliseconds since 1970  attribute 1704  moment of the purchase
--   purchase_day         days since 1970          attribute 1704  as in priced_purchases
--   expiry_ms            milliseconds since 1970  attribute 1708  moment of the expiration
--   cancellation_ms      milliseconds since 1970  attribute 1712  moment of the cancellation
--   price_source         –                        –               as in priced_purchases
--   price_milliunits     milliunits               –               as in priced_purchases
--   currency             –                        –               as in priced_purchases
--   storefront           –                        `storefront`    as in purchases
--   sale                 –                        –               as in priced_purchases
--   offer                –                        –               as in priced_purchases
--   is_upgraded          0 or 1                   –               as in priced_purchases
--   refund_ms            milliseconds since 1970  –               moment of the refund, as in priced_purchases
--   refund_day           days since 1970          –               as in priced_purchases
--   refunded_milliunits  milliunits               –               as in priced_purchases
--   is_refunded_in_part  0 or 1                   –               as in priced_purchases
--   revocation_reason    –                        –               as in purchases
--   revocation_type      –                        –               as in purchases
--   revoked_share        0 to 1                   –               as in purchases
--   offer_type           –                        `offerType`     as in purchases
--   offer_id             –                        –               as in priced_purchases
--   offer_discount_type  –                        –               as in purchases
--   offer_period         –                        –               as in purchases
--   transaction_reason   –                        –               as in purchases
--   app_account_token    –                        –               as in purchases
--   app_transaction_id   –                        –               as in purchases
CREATE VIEW sales_by_number AS
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

told AS (
    SELECT
        state.app_number,
        state.purchase_number,
        state.transaction_number,
        state.original_number,
        state.told_terms_number,
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
        coalesce(terms.offer_id, state.promotional_offer_id) AS offer_id,
        terms.offer_discount_type,
        terms.offer_period,
        terms.transaction_reason,
        terms.app_account_token,
        terms.app_transaction_id,
        state.revocation_reason,
        state.revocation_type,
        state.revocation_kind,
        state.revoked_share,
        CASE
            WHEN terms.offer_type = 1 OR state.is_in_intro_offer_period = 1 THEN 'introductory'
            WHEN terms.offer_type = 2 THEN 'promotional'
            WHEN terms.offer_type = 3 THEN 'offer_code'
            WHEN terms.offer_type = 4 THEN 'win_back'
            WHEN terms.offer_type IS NOT NULL THEN 'other_offer'
            WHEN state.promotional_offer_id IS NOT NULL THEN 'promotional'
            ELSE 'full'
        END AS offer,
        state.is_upgraded AS is_canceled_by_upgrade,
        CASE
            WHEN terms.is_upgraded = 1 OR state.is_upgraded = 1 THEN 1
            WHEN state.cancellation_ms IS NULL AND state.is_cut_short = 1 THEN 1
            ELSE 0
        END AS is_upgraded
    FROM purchase_states AS state
    LEFT JOIN purchase_terms AS terms ON terms.terms_id = state.told_terms_number
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
            WHEN priced.revocation_kind = 'withdrawal' THEN NULL
            ELSE priced.cancellation_ms
        END AS refund_ms,
        -- The store states thousandths of a percent.
        CAST(floor(coalesce(priced.revoked_share, 1.0) * 100000 + 0.5) AS BIGINT) AS milli_percent
    FROM priced
)

SELECT
    app_number,
    purchase_number,
    transaction_number,
    original_number,
    product_number,
    product_type,
    quantity,
    sold_ms,
    sold_at_zone / 86400000 AS purchase_day,
    expiry_ms,
    cancellation_ms,
    price_source,
    paid_milliunits AS price_milliunits,
    paid_currency AS currency,
    storefront,
    sale,
    CASE
        WHEN offer <> 'full' THEN offer
        -- A receipt names no offer of a trial.
        WHEN is_trial_period = 1 THEN 'introductory'
    END AS offer,
    is_upgraded,
    refund_ms,
    (refund_ms + (SELECT ms FROM zone_offset)) / 86400000 AS refund_day,
    CASE WHEN refund_ms IS NOT NULL THEN (paid_milliunits * milli_percent + 50000) / 100000 END AS refunded_milliunits,
    CASE WHEN refund_ms IS NOT NULL AND milli_percent < 100000 THEN 1 ELSE 0 END AS is_refunded_in_part,
    revocation_reason,
    revocation_type,
    revoked_share,
    offer_type,
    offer_id,
    offer_discount_type,
    offer_period,
    transaction_reason,
    app_account_token,
    app_transaction_id
FROM refunded;
