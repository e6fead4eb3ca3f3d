-- Who might use what, from when to when, and in which state: one row per owner, non-consumable, non-renewing subscription
-- or period of a subscription, and stretch of time with one state. All documents count, also those made after it; of
-- what lies behind the app's newest document nothing is told.
--
-- A purchase belongs to those who presented it, also inside another document or as a restored copy. A purchase from a
-- line without account and device belongs to owners who presented another transaction of the same original: the five
-- seen last, and the first five, sorted by matching device, then by time. A member's share belongs to the member. Seats
-- that were added to a period give no right of their own.
--
-- Columns:
--   environment              –     attribute 0     as in purchases
--   bundle_id                –     attribute 2     as in purchases
--   owner                    –     line            account, else device; null if nobody is known
--   owner_kind               –     –               `account`, `device` or `none`
--   product_id               –     attribute 1702  product
--   source_transaction_id    –     attribute 1703  the transaction that gives the right
--   starts                   time  attribute 1704  when it was bought, or the period began
--   ends                     time  –               in `grace` the end of the grace period, of `revoked` when that was,
--                                                  else the end of the period; null for what never ends, and of an
--                                                  upgraded period whose next is not known
--   ownership                –     –               as in purchases
--   state                    –     –               `active`; `grace`: the period is over, the grace period is not;
--                                                  `billing_retry`: neither runs, and the store tries to charge, for 60
--                                                  or 90 days at most; `expired`; `revoked`: refunded, or a share
--                                                  withdrawn; `unknown`: the period is over, and nothing made since
--                                                  tells how
--   since                    time  –               begin of the stretch; null for what states no begin
--   until                    time  –               its end; null: for ever
--   from_ms                  ms    –               since as a number; 0 of what states no begin
--   until_ms                 ms    –               until as a number; null: for ever
--   original_transaction_id  –     attribute 1705  the subscription, or the purchase and its copies
--   account_id               –     line            the owner's account; null if the owner is a device
--   device_id                –     line            the owner's device; of an account, the device on which it was last
--                                                  seen
--   last_seen                time  line            when the owner presented a document of the app last
--   user_id                  –     –               the owner's number in this database alone
--   purchase_id              –     –               the purchase's number in this database alone
--   app_id                   –     –               the app's number in this database alone, as in apps
CREATE VIEW entitlement_spans AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    users.name AS owner,
    CASE users.is_device WHEN 0 THEN 'account' WHEN 1 THEN 'device' ELSE 'none' END AS owner_kind,
    product.product_id,
    CAST(purchase.transaction_id AS TEXT) AS source_transaction_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN sale.start_ms >= 0 THEN sale.start_ms END / 1000, 'unixepoch') AS starts,
    strftime('%Y-%m-%dT%H:%M:%SZ',
        CASE
            WHEN span.state = 'grace' THEN span.until_ms
            WHEN span.state = 'revoked' AND coalesce(sale.expires_ms, span.from_ms) >= span.from_ms THEN span.from_ms
            WHEN sale.is_period = 0 OR sale.is_shared = 1 THEN sale.expires_ms
            WHEN sale.next_start_ms < sale.expires_ms THEN sale.next_start_ms
            WHEN sale.is_change = 0 OR sale.next_start_ms IS NOT NULL THEN sale.expires_ms
        END / 1000, 'unixepoch') AS ends,
    terms.ownership,
    span.state,
    strftime('%Y-%m-%dT%H:%M:%SZ', CASE WHEN span.from_ms > 0 THEN span.from_ms END / 1000, 'unixepoch') AS since,
    strftime('%Y-%m-%dT%H:%M:%SZ', span.until_ms / 1000, 'unixepoch') AS until,
    span.from_ms,
    span.until_ms,
    CAST(sale.original_id AS TEXT) AS original_transaction_id,
    CASE users.is_device WHEN 0 THEN users.name END AS account_id,
    users.device_id,
    strftime('%Y-%m-%dT%H:%M:%SZ', users.last_seen_ms / 1000, 'unixepoch') AS last_seen,
    span.user_id,
    span.purchase_id,
    span.app_id
FROM model_entitlement_spans AS span
-- Outer joins, so that SQLite sees first which stretches are asked for.
LEFT JOIN app ON app.app_id = span.app_id
LEFT JOIN model_sales AS sale ON sale.purchase_id = span.purchase_id
LEFT JOIN purchase ON purchase.purchase_id = span.purchase_id
LEFT JOIN product ON product.product_number = sale.product_number
LEFT JOIN purchase_terms AS terms
    ON terms.transaction_id = purchase.transaction_id
    AND terms.app_id = purchase.app_id
    AND terms.verdict = 'trusted'
LEFT JOIN model_users AS users ON users.user_id = span.user_id
WHERE span.state <> 'consumed';
