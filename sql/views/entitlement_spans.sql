-- What each owner was entitled to use, and when. One row per owner, purchase and span of time with one state; a
-- purchase is a non-consumable, a non-renewing subscription or a period of a subscription. All documents count, also
-- those made after the span. No document states what happens after the app's newest one.
--
-- A purchase belongs to each owner who presented it, directly, inside another document or as a restored copy. A
-- member's share belongs to the member. Seats that were added to a period are no entitlement of their own.
--
-- A purchase from a line without account and device, such as a server's log, belongs to owners who presented another
-- transaction of the same original: the five seen last, and the first five, sorted by matching device, then by time.
--
-- Columns:
--   environment              –     attribute 0     environment that the receipts state
--   bundle_id                –     attribute 2     bundle identifier of the app
--   owner                    –     line            account, else device; null if unknown
--   owner_kind               –     –               what identifies the owner: `account`, `device` or `none`
--   product_id               –     attribute 1702  product bought
--   source_transaction_id    –     attribute 1703  transaction that entitles the owner
--   starts                   time  attribute 1704  when the product was bought, or the period began
--   ends                     time  –               end of the period; in `grace`, end of the grace period; in
--                                                  `revoked`, time of the revocation; null if there is no end, or for
--                                                  an upgraded period whose next period is unknown
--   ownership                –     –               `PURCHASED`, or a member's share: `FAMILY_SHARED`, or `ASSIGNED` by
--                                                  an organization or group
--   state                    –     –               `active`; `grace`: the period is over, the grace period is not;
--                                                  `billing_retry`: both are over, and the store tries to charge, for
--                                                  at most 60 or 90 days; `expired`; `revoked`: refunded, or a share
--                                                  was withdrawn; `unknown`: the period is over, and no later document
--                                                  states how it ended
--   since                    time  –               first moment of the span; null if the purchase states no date
--   until                    time  –               first moment after the span; null: no end
--   from_ms                  ms    –               since as a number; 0 if the purchase states no date
--   until_ms                 ms    –               until as a number; null: no end
--   original_transaction_id  –     attribute 1705  original transaction of the purchase; if another original
--                                                  transaction continues a subscription, the first one
--   account_id               –     line            the owner's account; null if the owner is a device
--   device_id                –     line            the owner's device; of an account, the device on which it was last
--                                                  seen
--   last_seen                time  line            when the owner last presented a document of the app
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
FROM internal_entitlement_spans AS span
-- Outer joins, so that SQLite first restricts the spans to those asked for.
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
