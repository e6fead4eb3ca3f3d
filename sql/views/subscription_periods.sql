-- One row per subscription period, without restored copies and members' shares: when it ran, at what monthly price, and
-- how it ended.
--
-- Columns:
--   environment        –           attribute 0               environment that the receipts state
--   bundle_id          –           attribute 2               bundle identifier of the app
--   subscription_id    –           attribute 1705            original transaction of the subscription; if another
--                                                            original transaction continues it, the first one
--   transaction_id     –           attribute 1703            the store's identifier of the period's transaction
--   product_id         –           attribute 1702            product of the period
--   kind               –           –                         kind of period: trial, paid, or free (a free period after
--                                                            a payment)
--   offer              –           –                         type of offer: introductory, promotional, offer_code,
--                                                            win_back, retention, other_offer, or full (no offer)
--   plan               –           –                         length of the plan: P1W, P1M, P2M, P3M, P6M or P1Y; null
--                                                            for less than three days
--   starts             time        attribute 1704            start of the period
--   expires            time        attribute 1708            planned end of the period
--   access_ends        time        –                         end of access: the planned end, the stated end of the
--                                                            grace period, a refund, or an earlier start of the next
--                                                            period
--   grace_until        time        `gracePeriodExpiresDate`  end of the grace period, if a document states one
--   price_source       –           –                         signed: a signed transaction states the price; list: from
--                                                            your price list; none: no price is known
--   currency           –           `currency`                currency of the price (ISO 4217)
--   price_milliunits   milliunits  `price`                   amount charged, in thousandths of the currency; for seats,
--                                                            the sum of all their prices
--   month_milliunits   milliunits  –                         price per month when the period began
--   followed_by        –           –                         what began next: renewal, at most 24 hours after the
--                                                            planned end; change: another product or plan before that;
--                                                            recovery: a later payment within the billing-retry window
--                                                            (60 days; 90 for monthly plans with a commitment); return:
--                                                            later still, or after the subscription had ended; null if
--                                                            nothing followed
--   next_starts        time        –                         start of the next period
--   fate               –           –                         how the period ended: renewed, changed or recovered: by
--                                                            the next period; refunded: revoked by a refund while it
--                                                            ran; running: access continues at the app's newest
--                                                            document; retrying: within the billing-retry window;
--                                                            lapsed: ended for good; unknown: no document states what
--                                                            happened
--   cause              –           –                         why the period lapsed or was refunded: voluntary, billing,
--                                                            price_increase, product_gone, refund, or cause_unknown;
--                                                            null for other fates
--   known_until        time        –                         until when it is known what followed the period
--   seats              seats       –                         number of seats, with those added while the period ran,
--                                                            less those revoked; null if not sold by the seat
--   billing_plan       –           `billingPlanType`         `MONTHLY` for a commitment that is billed by the month;
--                                                            null if billed upfront
--   payments_left      payments    –                         of a commitment: payments that are due after this period
--   will_renew         0 or 1      –                         1: the last renewal info states that the subscription
--                                                            continues after this period; for a commitment, after its
--                                                            last payment
--   auto_renew_status  0 or 1      `autoRenewStatus`         1: renewal is turned on, as the last renewal info about
--                                                            the period states
--   told_at            time        `signedDate`              when the last renewal info about the period was signed
--   app_id             –           –                         the app's number in this database alone, as in apps
--   customer_id        –           –                         the customer's number in this database alone, as in
--                                                            customers
--   purchase_number    –           –                         the transaction's number in this database alone
--   paid_days          days        –                         of a paid period: days of paid service before it; they start
--                                                            again from zero after a gap of more than 60 days, or in
--                                                            another subscription group
CREATE VIEW subscription_periods AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(period.original_id AS TEXT) AS subscription_id,
    CAST(purchase.transaction_id AS TEXT) AS transaction_id,
    product.product_id,
    period.kind,
    sale.offer,
    CASE period.plan_days
        WHEN 7 THEN 'P1W'
        WHEN 30 THEN 'P1M'
        WHEN 61 THEN 'P2M'
        WHEN 91 THEN 'P3M'
        WHEN 182 THEN 'P6M'
        WHEN 365 THEN 'P1Y'
    END AS plan,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.start_ms >= 0 THEN period.start_ms END / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.expires_ms >= 0 THEN period.expires_ms END / 1000, 'unixepoch') AS expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.access_ms >= 0 THEN period.access_ms END / 1000, 'unixepoch') AS access_ends,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.grace_ms >= 0 THEN period.grace_ms END / 1000, 'unixepoch') AS grace_until,
    period.price_source,
    period.currency,
    sale.price_milliunits,
    period.month_milliunits,
    period.followed_by,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.next_start_ms >= 0 THEN period.next_start_ms END / 1000, 'unixepoch') AS next_starts,
    period.fate,
    period.cause,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN period.known_until_ms >= 0 THEN period.known_until_ms END / 1000, 'unixepoch') AS known_until,
    sale.seats,
    period.billing_plan,
    period.payments_left,
    period.will_renew,
    period.auto_renew_status,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN state.signed_ms >= 0 THEN state.signed_ms END / 1000, 'unixepoch') AS told_at,
    period.app_id,
    sale.customer_id,
    period.purchase_id AS purchase_number,
    served.paid_days
FROM (
    SELECT
        told.*,
        CASE
            WHEN told.expires_ms > known.first_notification_ms AND known.notified_ms > told.known_ms THEN known.notified_ms
            ELSE told.known_ms
        END AS known_until_ms
    FROM model_periods AS told
    JOIN model_apps AS known ON known.app_id = told.app_id
) AS period
JOIN model_sales AS sale ON sale.purchase_id = period.purchase_id
JOIN purchase ON purchase.purchase_id = period.purchase_id
JOIN app ON app.app_id = period.app_id
LEFT JOIN product ON product.product_number = period.product_number
LEFT JOIN model_renewal_states AS state
    ON state.original_id = period.original_id
    AND state.app_id = period.app_id
    AND state.start_ms = period.start_ms
    AND state.until_ms IS NULL
LEFT JOIN model_paid_days AS served ON served.purchase_id = period.purchase_id;
