-- renewals-due: Subscriptions that renew or end soon, or ended lately
-- Which subscriptions renew in the next days, at what price, which end or ended, and who owns them?
--
-- Grain: one row per environment, bundle_id, subscription_id
-- Aliases: subscriptions-expiring, subscriptions-expired, expiring, expired
--
-- Parameters:
--   :days  integer(0..3660)  30  maximum of days_left: whole days after the app's newest document
--   :past  integer(0..3660)  0   also show subscriptions whose access ended at most so many days before the app's
--                                newest document
--
-- Columns:
--   environment      text     environment of the subscription
--   bundle_id        text     bundle identifier of the app
--   subscription_id  text     original transaction of the subscription
--   product_id       text     product of the subscription's last known period
--   kind             text     kind of the subscription's last known period: paid, trial, or free
--   expires          time     planned end of the subscription's last known period
--   days_left        integer(days)  whole days from the app's newest document to expires; negative if the period is
--                                   over
--   outlook          text     renews; leaving: payments of a commitment are still due, but the subscription ends after
--                             the last one; ends: renewal is turned off, or the last payment of a commitment was made;
--                             consent_missing: the subscription ends unless the customer agrees to a higher price;
--                             untold: no renewal info states whether it renews; billing_retry: over, and the payment is
--                             retried; lapsed, refunded: over; unknown: over, and no document states what followed
--   product_after    text     product as which the subscription renews; empty if no renewal info states one, or if the
--                             subscription ends
--   amount           money(currency)  price of the next payment, for all seats: as the renewal info states, else the
--                                     price of the running period if that is the full price; empty if no payment is
--                                     due, or its price is unknown
--   currency         text     currency of the amount (ISO 4217); (none) if there is no price
--   customer         text     customer who pays: account, else app transaction, token, device or original transaction
--   customer_kind    text     what identifies the customer: account, app_transaction, token, device or original
--   grace_until      time     end of the grace period, if a document states one
--   told_at          time     when the last renewal info about the period was signed
--   as_of            time     when the app's newest document was created
--   payments_left    integer(payments)  of a commitment billed by the month: payments that are due after this period
--   contracted       money(currency)  payments_left × price of one payment
--
-- Shown: expires, outlook, amount, currency, customer, product_id, days_left, subscription_id, bundle_id, contracted
-- Chart: bars  x=product_id  y=rows  series=outlook
--
-- Notes:
--   The last period of each subscription counts; a period that was left for another product is no renewal. A customer
--   may decide otherwise after the renewal info was signed; told_at shows how old it is. Members' shares do not renew.
--   Never add amounts of different currencies, and count only rows with the outlook renews or leaving as likely
--   revenue. Amounts are converted by the rate of the day of the app's newest document. The remaining payments of a
--   commitment are due even if the customer is leaving.
--
-- Example:
--   receiptmill report renewals-due --database mill.sqlite days=7

WITH asked AS (
    SELECT
        apps.app_id, apps.horizon_ms, subscription.original_id, subscription.customer_id, subscription.last_purchase_id
    FROM apps
    JOIN model_subscriptions AS subscription ON subscription.app_id = apps.app_id
    WHERE subscription.last_access_ms >= apps.horizon_ms - coalesce(CAST(:past AS BIGINT), 0) * 86400000
        OR subscription.last_fate = 'retrying'
)

SELECT
    apps.environment, apps.bundle_id, shown.subscription_id, coalesce(product.product_id, '(none)') AS product_id,
    period.kind, shown.expires,
    CAST(floor(CAST(period.expires_ms - asked.horizon_ms AS DOUBLE) / 86400000) AS BIGINT) AS days_left,
    CASE
        WHEN period.fate = 'retrying' THEN 'billing_retry'
        WHEN period.fate <> 'running' THEN period.fate
        WHEN period.expires_ms <= asked.horizon_ms THEN 'billing_retry'
        WHEN state.price_increase_status = 0 THEN 'consent_missing'
        WHEN period.will_renew = 0 AND period.payments_left > 0 THEN 'leaving'
        WHEN period.will_renew = 0 THEN 'ends'
        WHEN coalesce(period.will_renew, state.auto_renew_status) = 1 THEN 'renews'
        ELSE 'untold'
    END AS outlook,
    CASE
        WHEN state.auto_renew_status = 1 AND period.fate IN ('running', 'retrying')
            AND (coalesce(period.will_renew, 1) = 1 OR period.payments_left > 0) THEN after.product_id
    END AS product_after,
    CASE
        WHEN period.fate NOT IN ('running', 'retrying') THEN NULL
        WHEN period.will_renew = 0 AND coalesce(period.payments_left, 0) = 0 THEN NULL
        WHEN state.renewal_price_milliunits IS NOT NULL
            THEN CAST(floor(state.renewal_price_milliunits * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT)
        WHEN sale.offer = 'full'
            AND period.kind = 'paid' AND coalesce(sale.seats, sale.quantity, 1) = coalesce(sale.quantity, 1)
            AND coalesce(state.auto_renew_product_number, period.product_number) = period.product_number
            THEN CAST(floor(sale.price_milliunits * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT)
    END AS amount,
    coalesce(
        rates.into_currency,
        CASE WHEN state.renewal_price_milliunits IS NOT NULL THEN state.currency ELSE period.currency END,
        '(none)') AS currency,
    coalesce(payer.customer, shown.subscription_id) AS customer,
    payer.customer_kind, shown.grace_until, shown.told_at, apps.as_of,
    CASE WHEN period.fate IN ('running', 'retrying') THEN period.payments_left END AS payments_left,
    CASE
        WHEN period.fate IN ('running', 'retrying')
            THEN CAST(floor(period.payments_left * coalesce(state.renewal_price_milliunits, sale.price_milliunits)
                * coalesce(rates.rate, 1.0) + 0.5) AS BIGINT)
    END AS contracted
FROM asked
JOIN apps ON apps.app_id = asked.app_id
-- Each subscription has a period, but with an inner join SQLite would read all periods first.
LEFT JOIN model_periods AS period
    ON period.original_id = asked.original_id
    AND period.app_id = asked.app_id AND period.purchase_id = asked.last_purchase_id
JOIN model_sales AS sale ON sale.purchase_id = asked.last_purchase_id
JOIN internal_period_times AS shown
    ON shown.original_id = asked.original_id
    AND shown.app_id = asked.app_id AND shown.purchase_id = asked.last_purchase_id
JOIN model_customers AS payer ON payer.customer_id = asked.customer_id
LEFT JOIN model_renewal_states AS state
    ON state.original_id = period.original_id
    AND state.app_id = period.app_id AND state.start_ms = period.start_ms AND state.until_ms IS NULL
LEFT JOIN rates
    ON rates.currency = CASE WHEN state.renewal_price_milliunits IS NOT NULL THEN state.currency ELSE period.currency END
    AND rates.day_number = apps.horizon_day
LEFT JOIN product ON product.product_number = period.product_number
LEFT JOIN product AS after ON after.product_number = state.auto_renew_product_number
WHERE coalesce(period.expires_ms, 0) < asked.horizon_ms + (coalesce(CAST(:days AS BIGINT), 30) + 1) * 86400000
    -- Without periods that were left for a product of which nothing else is known.
    AND sale.is_change = 0
ORDER BY 1, 2, period.expires_ms, 3;
