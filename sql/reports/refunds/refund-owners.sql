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
--   account_id       text                   the account, as the lines write it; null where none is known
--   device_id        text                   the device that the owner presented from last; null where none is known
--   last_seen        time                   when the owner presented a document of the app last
--   as_of            time                   when the newest document of the app in that environment was made
--
-- Chart: bars  x=refunds  y=rows
--
-- Notes:
--   An owner is known as in app_owners. A purchase that two owners present counts for
--   both. A revoked family share looks like a refund.
--
-- Example:
--   receiptmill report refund-owners --database mill.sqlite --param least=3

-- Counted by number before names are joined.
WITH counted AS (
    SELECT
        refunds.app_number,
        refunds.contact_number,
        max(refunds.last_seen) AS last_seen,
        sum(refunds.refunds) AS refunds,
        min(refunds.cancellation_date) AS first_refund_at,
        max(refunds.cancellation_date) AS last_refund_at,
        count(DISTINCT refunds.product_number) AS products
    FROM refunded_contacts AS refunds
    CROSS JOIN calendar
    WHERE calendar.day_number = refunds.refund_day
        AND calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
    GROUP BY refunds.contact_number, refunds.app_number
    HAVING sum(refunds.refunds) >= coalesce(CAST(:least AS BIGINT), 2)
)

SELECT
    coalesce(app_names.environment, '(none)') AS environment,
    coalesce(app_names.bundle_id, '(none)') AS bundle_id,
    contact.owner_kind,
    contact.owner,
    counted.refunds,
    counted.first_refund_at,
    counted.last_refund_at,
    counted.products,
    contact.account_id,
    contact.device_id,
    counted.last_seen,
    seen.as_of
FROM counted
JOIN app_names ON app_names.app_number = counted.app_number
JOIN contacts_by_number AS contact ON contact.contact_number = counted.contact_number
LEFT JOIN app_horizons AS seen ON seen.app_number = counted.app_number
WHERE (
        coalesce(:environment, 'Production,ProductionVPP') = 'all'
        OR instr(
            ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
            ',' || app_names.environment || ',') > 0
    )
    AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
ORDER BY counted.refunds DESC, 1, 2, 3, 4;
