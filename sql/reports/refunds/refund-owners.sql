-- refund-owners: Owners with repeated refunds
-- Which accounts and devices had purchases refunded again and again?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner
--
-- Parameters:
--   :least  integer(1..)   2           least number of refunds
--   :from   date           2008-07-10  first day of refund that counts
--   :until  date(:from..)  9999-12-31  last day of refund that counts
--
-- Columns:
--   environment      text                   environment of the purchases
--   bundle_id        text                   bundle identifier of the app
--   owner_kind       text                   account, or device where the account is not known
--   owner            text                   account or device
--   refunds          integer(transactions)  purchases refunded, wholly or in part
--   first_refund_at  time                   the first refund
--   last_refund_at   time                   the last refund
--   products         integer(products)      different products refunded
--   account_id       text                   the account, as the lines write it; null where none is known
--   device_id        text                   the device that the owner presented from last; null where none is known
--   last_seen        time                   when the owner presented a document of the app last
--   as_of            time                   when the newest document of the app in that environment was made
--
-- Chart: bars  x=refunds  y=rows
--
-- Notes:
--   An owner is known as in app_owners. A purchase that two owners present counts for both. What a refund is says refunds:
--   upgrades and lost shares of families and groups are none, and of what only receipts tell a lost share looks like one.
--
-- Example:
--   receiptmill report refund-owners --database mill.sqlite --param least=3

WITH refunded AS (
    SELECT sale.purchase_id, sale.product_id, sale.refunded_at
    FROM apps
    JOIN sales AS sale ON sale.app_id = apps.app_id
    WHERE sale.refund_day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
),

held AS (
    SELECT DISTINCT span.user_id, refunded.purchase_id, refunded.product_id, refunded.refunded_at
    FROM refunded
    JOIN model_entitlement_spans AS span ON span.purchase_id = refunded.purchase_id
    WHERE span.user_id > 0
),

counted AS (
    SELECT
        user_id,
        count(*) AS refunds,
        min(refunded_at) AS first_refund_at,
        max(refunded_at) AS last_refund_at,
        count(DISTINCT product_id) AS products
    FROM held
    GROUP BY user_id
    HAVING count(*) >= coalesce(CAST(:least AS BIGINT), 2)
)

SELECT
    apps.environment,
    apps.bundle_id,
    owned.owner_kind,
    owned.owner,
    counted.refunds,
    counted.first_refund_at,
    counted.last_refund_at,
    counted.products,
    owned.account_id,
    owned.device_id,
    owned.last_seen,
    apps.as_of
FROM counted
JOIN users AS owned ON owned.user_id = counted.user_id
JOIN apps ON apps.app_id = owned.app_id
ORDER BY counted.refunds DESC, 1, 2, 3, 4;
