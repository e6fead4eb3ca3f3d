-- offers: Offers, what they cost, and who stayed
-- Who took which offer, how much less was paid than the full price, and who paid the full price afterwards?
--
-- Grain: one row per environment, bundle_id, month, product_id, storefront, currency, price_source, offer, offer_id,
--        offer_discount_type
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all      bundle identifier of the app; or all
--   :from         month          2008-01  first month shown; a week belongs to the month of its Monday
--   :until        month(:from..)  9999-12  last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment          text     environment of the purchases
--   bundle_id            text     bundle identifier of the app
--   month                month    month of the purchases at the offer, in UTC; with :grain week the Monday of the week,
--                                 with day the day
--   product_id           text     product bought
--   storefront           text     country of the store (ISO 3166, three letters); (none) where nothing tells it
--   currency             text     currency of the price (ISO 4217); (none) where there is no price
--   price_source         text     signed: the store signed the price; list: your list's price; none: no price
--   offer                text     introductory, promotional, offer_code, win_back or other_offer; trials are among each
--   offer_id             text     the offer's identifier or code; (none) where nothing tells it
--   offer_discount_type  text     FREE_TRIAL, PAY_AS_YOU_GO, PAY_UP_FRONT or another; (none) where nothing tells it
--   taken                integer  times the offer was taken in the month: first purchases at it
--   stayed               integer  of these, those after which a purchase at full price began in the subscription
--   ended                integer  of these, those whose subscription ended without one
--   running              integer  of these, those whose subscription still ran at the app's newest document without one
--   unknown              integer  of these, those whose subscription's last known period is over, and nothing made
--                                 since says what became of it
--   one_time             integer  of these, those that bought no subscription
--   stayed_share         share    stayed per stayed and ended; null where there is neither
--   purchases            integer  purchases at the offer in the month: also later periods of offers taken before
--   price_milliunits     integer(milliunits)  what was paid for them, in thousandths of the currency
--   compared             integer  of these purchases, those whose full price is known
--   full_milliunits      integer(milliunits)  the full prices of the compared ones
--   discount_milliunits  integer(milliunits)  full_milliunits less what was paid for the compared ones
--
-- Chart: bars  x=month  y=taken  series=offer
--
-- Notes:
--   The full price is that of the newest sale of the product at full price, in the same
--   storefront and currency, up to the moment of the offer's purchase. An offer that runs
--   for several regular periods is compared with as many full prices, to the nearest whole
--   number; a shorter one with one. Prices that rose or fell since are not looked at, and a
--   discount below 0 means that the price of the newest sale was the lower one.
--   The discount is no loss of revenue: nobody knows who would have paid the full price.
--   The states follow a subscription to any of its products. Stayed counts those who paid
--   the full price once, also where it was refunded since; later offers without it don't
--   count. Ended includes subscriptions that a retry of the payment may still revive.
--   Receipts name no identifiers of offers but those of promotional ones, and a trial in
--   them counts as introductory. Signed data of before 2023-11 lacks discount types.
--
-- Example:
--   receiptmill report offers --database mill.sqlite --param from=2025-01

SELECT
    coalesce(app_names.environment, '(none)') AS environment,
    coalesce(app_names.bundle_id, '(none)') AS bundle_id,
    calendar.period AS month,
    coalesce(product_names.product_id, '(none)') AS product_id,
    coalesce(offers.storefront, '(none)') AS storefront,
    coalesce(offers.currency, '(none)') AS currency,
    offers.price_source,
    offers.offer,
    coalesce(offers.offer_id, '(none)') AS offer_id,
    coalesce(offers.offer_discount_type, '(none)') AS offer_discount_type,
    sum(offers.taken) AS taken,
    sum(offers.stayed) AS stayed,
    sum(offers.ended) AS ended,
    sum(offers.running) AS running,
    sum(offers.unknown) AS unknown,
    sum(offers.one_time) AS one_time,
    round(CAST(sum(offers.stayed) AS DOUBLE) / nullif(sum(offers.stayed) + sum(offers.ended), 0), 4) AS stayed_share,
    sum(offers.purchases) AS purchases,
    sum(offers.price_milliunits) AS price_milliunits,
    sum(offers.compared) AS compared,
    sum(offers.full_milliunits) AS full_milliunits,
    sum(offers.discount_milliunits) AS discount_milliunits
FROM offers_by_day AS offers
JOIN app_names ON app_names.app_number = offers.app_number
LEFT JOIN product_names ON product_names.product_number = offers.product_number
JOIN calendar_grains AS calendar
    ON calendar.grain = coalesce(:grain, 'month')
    AND calendar.day_number = offers.purchase_day
WHERE substr(calendar.period, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || app_names.environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
GROUP BY 3, 4, 5, 6, 7, 8, 9, 10, 2, 1
ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10;
