-- Subscriptions, one row each: what each began as, when it was paid first, when it was first lost, and how it stands.
-- Copies and members' shares are none.
--
-- Columns:
--   environment       –     –  environment
--   bundle_id         –     –  the app
--   subscription_id   –     –  identifier of the original transaction; where the store continued one under another, the
--                              first
--   product_id        –     –  product of the first paid period; of the first period where none was paid
--   starts            time  –  start of its first period
--   trial_starts      time  –  start of its first trial; null if it had none
--   trial_expires     time  –  planned end of that trial
--   first_paid_at     time  –  start of its first paid period; null if none was paid
--   first_offer       –     –  offer of the first paid period, or full
--   plan_days         days  –  length of that period's plan
--   lost_at           time  –  planned end of the period with which it was lost first; null if it never was
--   last_fate         –     –  fate of its last period, as in subscription_periods
--   last_access_ends  time  –  end of access of its last period
--   known_until       time  –  until when what follows its last period is known
--   app_id            –     –  the app's number in this database alone, as in apps
--   customer_id       –     –  the number of the customer who pays, as in customers
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
JOIN model_known_subscriptions AS known
    ON known.original_id = subscription.original_id AND known.app_id = subscription.app_id
JOIN app ON app.app_id = subscription.app_id
LEFT JOIN product ON product.product_number = subscription.product_number;
