-- refund-owners: Owners with repeated refunds
-- Which accounts and devices had purchases refunded again and again?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :least        integer(1..)   2                         least number of refunds
--   :from         date           2008-07-10                first day of refund that counts
--   :until        date(:from..)  9999-12-31                last day of refund that counts
--
-- Columns:
--   environment      text                   environment of the purchases
--   bundle_id        text                   bundle identifier of the app
--   owner_kind       text                   account, or device where the account is not known
--   owner            text                   account or device
--   refunds          integer(transactions)  purchases refunded, upgrades left out
--   first_refund_at  time                   the first refund
--   last_refund_at   time                   the last refund
--   products         integer(products)      different products refunded
--
-- Notes:
--   An owner is known as in app_owners. A purchase that two owners present counts for
--   both. A revoked family share looks like a refund.
--
-- Example:
--   receiptmill report refund-owners --database mill.sqlite --param least=3

SELECT
    coalesce(environment, '(none)') AS environment,
    coalesce(bundle_id, '(none)') AS bundle_id,
    owner_kind,
    owner,
    count(DISTINCT original_transaction_id || ' ' || cancellation_date) AS refunds,
    min(cancellation_date) AS first_refund_at,
    max(cancellation_date) AS last_refund_at,
    count(DISTINCT product_id) AS products
FROM owner_refunds
WHERE substr(cancellation_date, 1, 10)
        BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
    AND (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', bundle_id)
GROUP BY coalesce(environment, '(none)'), coalesce(bundle_id, '(none)'), owner_kind, owner
HAVING count(DISTINCT original_transaction_id || ' ' || cancellation_date)
    >= coalesce(CAST(:least AS BIGINT), 2)
ORDER BY refunds DESC, 1, 2, 3, 4;
