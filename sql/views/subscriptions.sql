-- One row per subscription: how it began, when it was first paid, when it was first lost, and its latest state.
-- Restored copies and members' shares are left out.
--
-- Columns:
--   environment       –     –  environment that the receipts state
--   bundle_id         –     –  bundle identifier of the app
--   subscription_id   –     –  original transaction of the subscription; if another original transaction continues it,
--                              the first one
--   product_id        –     –  product of the subscription's first paid period; if none was paid, of its first period
--   starts            time  –  start of the subscription's first period
--   trial_starts      time  –  start of the subscription's first trial; null if there was none
--   trial_expires     time  –  planned end of the subscription's first trial; null if there was none
--   first_paid_at     time  –  start of the subscription's first paid period; null if none was paid
--   first_offer       –     –  offer of the subscription's first paid period; full if it had none
--   plan_days         days  –  plan length of the subscription's first paid period
--   lost_at           time  –  planned end of the period with which the subscription was first lost; null if it was
--                              never lost
--   last_fate         –     –  how the subscription's last period ended: fate as in subscription_periods
--   last_access_ends  time  –  end of access of the subscription's last period
--   known_until       time  –  until when it is known what followed the subscription's last period
--   app_id            –     –  the app's number in this database alone, as in apps
--   customer_id       –     –  number of the customer who pays, in this database alone; as in customers
CREATE VIEW subscriptions AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    CAST(subscription.original_id AS TEXT) AS subscription_id,
    product.product_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN subscription.start_ms >= 0 THEN subscription.start_ms END / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN subscription.trial_start_ms >= 0 THEN subscription.trial_start_ms END / 1000, 'unixepoch') AS trial_starts,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN subscription.trial_expires_ms >= 0 THEN subscription.trial_expires_ms END / 1000, 'unixepoch') AS trial_expires,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN subscription.paid_start_ms >= 0 THEN subscription.paid_start_ms END / 1000, 'unixepoch') AS first_paid_at,
    subscription.paid_offer AS first_offer,
    subscription.plan_days,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN subscription.lost_ms >= 0 THEN subscription.lost_ms END / 1000, 'unixepoch') AS lost_at,
    subscription.last_fate,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN subscription.last_access_ms >= 0 THEN subscription.last_access_ms END / 1000, 'unixepoch') AS last_access_ends,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN known.known_ms >= 0 THEN known.known_ms END / 1000, 'unixepoch') AS known_until,
    subscription.app_id,
    subscription.customer_id
FROM model_subscriptions AS subscription
JOIN internal_known_subscriptions AS known
    ON known.original_id = subscription.original_id AND known.app_id = subscription.app_id
JOIN app ON app.app_id = subscription.app_id
LEFT JOIN product ON product.product_number = subscription.product_number;
