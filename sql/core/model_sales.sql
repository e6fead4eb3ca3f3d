-- Purchases, each once: transactions without the copies that restores made, with the amount charged, refunds, and, for
-- a subscription's period, the next period. Members' shares (FAMILY_SHARED, ASSIGNED) are included for entitlements,
-- and marked; no figure of money or customers counts them.
--
-- - Price: the one that a signed transaction states, this one or a copy of it; else that of the price list on the day,
--   for a quantity of one if none is known; else none.
-- - Next period: the next one of the same subscription, by start.
-- - Change: a next period with another product, billing plan or original transaction that starts more than an hour
--   before this one expires. A period that is stated to be upgraded was changed, too, even if no next period is known.
--   A cancellation within a minute of the start of the change that states no refund belongs to the change and is not a
--   refund. It is also a change if another original transaction continues the subscription later, while the App Store
--   would still retry a payment.
-- - Refund: for a transaction that states items of the Advanced Commerce API, only the refunds of the items; for seats
--   an estimate, until the whole transaction is revoked.
--
-- Grain: one row per transaction that is no copy
-- Key: purchase_id
-- Index: app_id, expires_ms WHERE is_shared = 1
-- Slice: purchase_id
-- Reference: purchase_id = purchase(purchase_id)
-- Reference: app_id = app(app_id)
-- Reference: product_number = product(product_number)
-- Reference: customer_id = model_customers(customer_id)
-- Reference: version_id = version(version_id)
--
-- Columns:
--   purchase_id               INTEGER!  –           the transaction, by the loader's number
--   app_id                    INTEGER!  –           app and environment, by the loader's number
--   original_id               ANY!      –           identifier of the subscription's first original transaction; the
--                                                   transaction's own if none is stated
--   product_number            INTEGER   –           product, by the loader's number
--   product_type              INTEGER   –           0 non-consumable, 1 consumable, 2 non-renewing subscription, 3
--                                                   auto-renewable subscription, −1 unknown
--   quantity                  INTEGER   –           number of units bought; null if none is stated, or the stated one
--                                                   is not stored
--   billing_plan              TEXT      –           billing plan: MONTHLY for a commitment paid monthly; null if billed
--                                                   upfront
--   seats                     INTEGER   seats       seats of the period, including those added while it ran, less those
--                                                   revoked; null for a transaction that adds seats, and if the
--                                                   purchase is not sold by the seat
--   is_shared                 INTEGER!  0 or 1      1: a member's share of somebody else's purchase
--   is_period                 INTEGER!  0 or 1      1: a period of a subscription, which expires after it begins
--   start_ms                  INTEGER   ms          when the product was bought or renewed; if the transaction has
--                                                   restored copies, the earliest date of all
--   expires_ms                INTEGER   ms          planned expiration of the purchase; null if the purchase does not
--                                                   expire
--   canceled_ms               INTEGER   ms          stated cancellation of the purchase, for whatever reason; for items
--                                                   of the Advanced Commerce API, when all were revoked; for seats,
--                                                   when every transaction of the period was
--   is_trial                  INTEGER!  0 or 1      1: stated to be a free trial
--   is_paid                   INTEGER!  0 or 1      1: the price is above zero, or it is unknown and the purchase is no
--                                                   trial
--   offer                     TEXT!     –           type of offer: introductory, promotional, offer_code, win_back,
--                                                   retention, other_offer, or full (no offer)
--   price_source              TEXT!     –           signed: a signed transaction states the price; list: from your
--                                                   price list; none: no price is known
--   currency                  TEXT      –           currency of the price
--   price_milliunits          INTEGER   milliunits  amount charged; null if no price is known
--   storefront                TEXT      –           country of the store (ISO 3166, three letters); null if unknown
--   refund_ms                 INTEGER   ms          time of the last refund, whole or partial
--   refunded_milliunits       INTEGER   milliunits  how much of the price was refunded
--   is_refund_estimate        INTEGER!  0 or 1      1: the refunded amount is an estimate, for seats
--   is_whole_refund           INTEGER!  0 or 1      1: the whole price was refunded, and access ended; for items of the
--                                                   Advanced Commerce API, all were revoked
--   is_withdrawn              INTEGER!  0 or 1      1: a member's share was withdrawn, which is no refund
--   revocation_reason         INTEGER   –           `revocationReason`: 1 an issue of the app, 0 another
--   revocation_type           TEXT      –           `revocationType`, such as REFUND_FULL or FAMILY_REVOKE
--   is_change                 INTEGER!  0 or 1      1: a change of product, billing plan or original transaction
--                                                   replaced the purchase, even if no next period is known
--   change_credit_milliunits  INTEGER   milliunits  estimated credit for the time that a change left unused: price ×
--                                                   unused time ÷ whole time; no document states it
--   is_next_alike             INTEGER!  0 or 1      1: the next period has the same product, billing plan and original
--                                                   transaction
--   next_start_ms             INTEGER   ms          when the subscription's next period starts
--   next_purchase_id          INTEGER   –           transaction of the next period, by the loader's number
--   customer_id               INTEGER   –           customer who pays, as in model_customers; null for members' shares
--   sold_day                  INTEGER   –           number of the local day of the purchase
--   refund_day                INTEGER   –           number of the local day of the refund
--   version_id                INTEGER   –           app version in the newest document that states the transaction, by
--                                                   the loader's number; null if it states none
WITH stated AS (
    SELECT
        purchase.purchase_id, purchase.app_id,
        coalesce(switch.first_id, purchase.original_transaction_id, purchase.transaction_id) AS original_id,
        purchase.product_number, purchase.product_type,
        purchase.quantity,
        coalesce(terms.is_shared, 0) AS is_shared,
        CASE
            WHEN purchase.expires_date > purchase.purchase_date AND coalesce(purchase.product_type, 3) = 3 THEN 1 ELSE 0
        END AS is_period,
        coalesce(CASE WHEN purchase.expires_date IS NULL THEN copy.sold_ms END, purchase.purchase_date) AS start_ms,
        purchase.expires_date AS expires_ms, purchase.cancellation_date AS stated_canceled_ms,
        CASE WHEN divided.purchase_id IS NULL THEN purchase.cancellation_date ELSE divided.canceled_ms END AS canceled_ms,
        divided.seats,
        coalesce(divided.has_items, 0) AS has_items,
        divided.refund_ms AS part_ms, divided.refunded_milliunits AS part_milliunits,
        coalesce(purchase.is_trial_period, 0) AS is_trial,
        CASE
            WHEN terms.offer_type = 1 OR purchase.is_in_intro_offer_period = 1 THEN 'introductory'
            WHEN terms.offer_type = 2 THEN 'promotional'
            WHEN terms.offer_type = 3 THEN 'offer_code'
            WHEN terms.offer_type = 4 THEN 'win_back'
            WHEN terms.offer_type = 5 THEN 'retention'
            WHEN terms.offer_type IS NOT NULL THEN 'other_offer'
            WHEN purchase.promotional_offer_id IS NOT NULL THEN 'promotional'
            WHEN purchase.is_trial_period = 1 THEN 'introductory'
            ELSE 'full'
        END AS offer,
        coalesce(terms.price_milliunits, copy.price_milliunits) AS signed_milliunits,
        CASE WHEN terms.price_milliunits IS NOT NULL THEN terms.currency ELSE copy.currency END AS signed_currency,
        coalesce(terms.storefront, copy.storefront) AS storefront,
        terms.is_upgraded, revoked.revocation_reason, revoked.revocation_type,
        coalesce(revoked.is_withdrawal, 0) AS is_withdrawn,
        -- In thousandths of a percent, the unit in which the App Store states the share.
        CAST(floor(coalesce(revoked.revoked_share, 1.0) * 100000 + 0.5) AS BIGINT) AS refunded_share,
        CASE
            WHEN follower.next_product_number = purchase.product_number AND follower.next_variant = follower.variant THEN 0
            WHEN terms.is_upgraded = 1 OR follower.next_start_ms < purchase.expires_date - 3600000 THEN 1
            WHEN follower.next_variant - follower.next_variant % 10 <> follower.variant - follower.variant % 10
                AND follower.next_start_ms > purchase.expires_date + 86400000
                AND follower.next_start_ms <= purchase.expires_date + follower.retry_limit_ms
                THEN 1
            ELSE 0
        END AS is_change,
        CASE
            WHEN follower.next_product_number = purchase.product_number AND follower.next_variant = follower.variant THEN 1
            ELSE 0
        END AS is_next_alike,
        terms.billing_plan, follower.next_start_ms, follower.next_purchase_id, telling.app_version_id AS version_id
    FROM purchase
    LEFT JOIN receipt AS telling ON telling.receipt_id = purchase.receipt_id
    LEFT JOIN model_copies AS copy ON copy.purchase_id = purchase.purchase_id
    LEFT JOIN model_terms AS terms ON terms.purchase_id = purchase.purchase_id
    LEFT JOIN model_divided_sales AS divided ON divided.purchase_id = purchase.purchase_id
    LEFT JOIN model_switches AS switch
        ON switch.original_id = coalesce(purchase.original_transaction_id, purchase.transaction_id)
        AND switch.app_id = purchase.app_id
    LEFT JOIN model_followers AS follower
        ON follower.original_id = coalesce(switch.first_id, purchase.original_transaction_id, purchase.transaction_id)
        AND follower.app_id = purchase.app_id
        AND follower.start_ms = purchase.purchase_date
        AND follower.expires_ms = purchase.expires_date
        AND follower.purchase_id = purchase.purchase_id
    LEFT JOIN model_revocations AS revoked
        ON revoked.transaction_id = purchase.transaction_id
        AND revoked.app_id = purchase.app_id
        AND revoked.revoked_ms = purchase.cancellation_date - purchase.cancellation_date % 1000
    WHERE coalesce(copy.place, 1) = 1
),

priced AS (
    SELECT
        stated.*,
        CASE
            WHEN stated.signed_milliunits IS NOT NULL THEN 'signed'
            WHEN stated.is_trial = 1 AND listed.currency IS NOT NULL THEN 'list'
            WHEN stated.offer = 'full' AND listed.price_milliunits IS NOT NULL THEN 'list'
            WHEN stated.offer = 'introductory' AND listed.introductory_milliunits IS NOT NULL THEN 'list'
            ELSE 'none'
        END AS price_source,
        listed.currency AS listed_currency,
        CASE
            WHEN stated.is_trial = 1 THEN 0
            WHEN stated.offer = 'full' THEN listed.price_milliunits * coalesce(stated.quantity, 1)
            WHEN stated.offer = 'introductory' THEN listed.introductory_milliunits * coalesce(stated.quantity, 1)
        END AS listed_milliunits
    FROM stated
    LEFT JOIN model_listed_prices AS listed
        ON listed.product_number = CASE WHEN stated.signed_milliunits IS NULL THEN stated.product_number END
        AND listed.from_ms <= stated.start_ms
        AND listed.until_ms > stated.start_ms
),

judged AS (
    SELECT
        priced.*,
        CASE price_source WHEN 'signed' THEN signed_currency WHEN 'list' THEN listed_currency END AS currency,
        CASE price_source WHEN 'signed' THEN signed_milliunits WHEN 'list' THEN listed_milliunits END AS price_milliunits
    FROM priced
),

charged AS (
    SELECT
        judged.*,
        CASE WHEN price_milliunits > 0 OR (price_milliunits IS NULL AND is_trial = 0) THEN 1 ELSE 0 END AS is_paid
    FROM judged
),

returned AS (
    SELECT
        charged.*,
        CASE
            WHEN stated_canceled_ms IS NULL OR is_shared = 1 OR has_items = 1 THEN NULL
            WHEN is_paid = 0 THEN NULL
            WHEN is_withdrawn = 1 THEN NULL
            -- A revocation of an unknown type counts as a refund.
            WHEN revocation_type IS NOT NULL OR revocation_reason IS NOT NULL THEN stated_canceled_ms
            WHEN is_upgraded = 1 THEN NULL
            WHEN is_change = 1 AND next_start_ms BETWEEN stated_canceled_ms - 60000 AND stated_canceled_ms + 60000 THEN NULL
            ELSE stated_canceled_ms
        END AS revoked_ms
    FROM charged
),

refunded AS (
    SELECT
        returned.*,
        coalesce(revoked_ms, part_ms) AS refund_ms,
        CASE
            WHEN revoked_ms IS NULL THEN part_milliunits
            WHEN refunded_share = 100000 THEN price_milliunits
            ELSE CAST(floor(CAST(price_milliunits AS DOUBLE) * refunded_share / 100000 + 0.5) AS BIGINT)
        END AS refunded_milliunits
    FROM returned
)

SELECT
    purchase_id, refunded.app_id, refunded.original_id, product_number, product_type, quantity, billing_plan, seats,
    is_shared, is_period, start_ms, expires_ms, canceled_ms, is_trial, is_paid, offer, price_source, currency,
    price_milliunits, storefront, refund_ms,
    CASE WHEN part_milliunits > refunded_milliunits THEN part_milliunits ELSE refunded_milliunits END AS refunded_milliunits,
    CASE WHEN part_ms IS NOT NULL AND has_items = 0 AND revoked_ms IS NULL THEN 1 ELSE 0 END AS is_refund_estimate,
    CASE
        WHEN revoked_ms IS NOT NULL AND refunded_share >= 100000 THEN 1
        WHEN has_items = 1 AND canceled_ms IS NOT NULL THEN 1
        ELSE 0
    END AS is_whole_refund,
    is_withdrawn, revocation_reason, revocation_type, is_change,
    CASE
        WHEN is_change = 1 AND refund_ms IS NULL AND next_start_ms < expires_ms
            THEN CAST(floor(
                CAST(price_milliunits AS DOUBLE) * (expires_ms - next_start_ms) / (expires_ms - start_ms) + 0.5
            ) AS BIGINT)
    END AS change_credit_milliunits,
    is_next_alike, next_start_ms, next_purchase_id,
    CASE WHEN is_shared = 0 AND start_ms IS NOT NULL THEN known.customer_id END AS customer_id,
    CASE WHEN start_ms < sold.midnight_ms THEN sold.earlier_day ELSE sold.later_day END AS sold_day,
    CASE WHEN refund_ms < returned_on.midnight_ms THEN returned_on.earlier_day ELSE returned_on.later_day END AS refund_day,
    version_id
FROM refunded
LEFT JOIN model_originals AS known ON known.original_id = refunded.original_id AND known.app_id = refunded.app_id
LEFT JOIN model_utc_days AS sold ON sold.utc_day = CAST((start_ms - start_ms % 86400000) / 86400000 AS BIGINT)
LEFT JOIN model_utc_days AS returned_on ON returned_on.utc_day = CAST((refund_ms - refund_ms % 86400000) / 86400000 AS BIGINT)
