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

WITH refunded AS (
    SELECT
        coalesce(app_names.environment, '(none)') AS environment,
        coalesce(app_names.bundle_id, '(none)') AS bundle_id,
        refunds.owner_kind,
        refunds.owner,
        count(DISTINCT CAST(refunds.original_number AS VARCHAR(20)) || ' ' || refunds.cancellation_date) AS refunds,
        min(refunds.cancellation_date) AS first_refund_at,
        max(refunds.cancellation_date) AS last_refund_at,
        count(DISTINCT refunds.product_number) AS products
    FROM owner_refunds_by_number AS refunds
    JOIN app_names ON app_names.app_number = refunds.app_number
    JOIN calendar ON calendar.day_number = refunds.refund_day
    WHERE calendar.day BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || app_names.environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', app_names.bundle_id)
    GROUP BY refunds.owner, refunds.owner_kind, app_names.bundle_id, app_names.environment
    HAVING count(DISTINCT CAST(refunds.original_number AS VARCHAR(20)) || ' ' || refunds.cancellation_date)
        >= coalesce(CAST(:least AS BIGINT), 2)
),

-- As owner_contacts tells it, of these owners alone.
contact AS (
    SELECT *
    FROM (
        SELECT
            coalesce(environment, '(none)') AS environment,
            coalesce(bundle_id, '(none)') AS bundle_id,
            owner,
            owner_kind,
            account_id,
            device_id,
            max(presented) OVER (PARTITION BY owner, owner_kind, app_number) AS last_seen,
            row_number() OVER (
                PARTITION BY owner, owner_kind, app_number
                ORDER BY device_id IS NULL, presented_ms DESC NULLS LAST, device_id
            ) AS place
        FROM owner_sightings
        WHERE owner IN (SELECT owner FROM refunded)
    ) AS placed
    WHERE place = 1
)

SELECT
    refunded.environment,
    refunded.bundle_id,
    refunded.owner_kind,
    refunded.owner,
    refunded.refunds,
    refunded.first_refund_at,
    refunded.last_refund_at,
    refunded.products,
    contact.account_id,
    contact.device_id,
    contact.last_seen,
    seen.as_of
FROM refunded
LEFT JOIN contact
    ON contact.owner = refunded.owner
    AND contact.owner_kind = refunded.owner_kind
    AND contact.bundle_id = refunded.bundle_id
    AND contact.environment = refunded.environment
LEFT JOIN app_horizons AS seen
    ON coalesce(seen.environment, '(none)') = refunded.environment
    AND coalesce(seen.bundle_id, '(none)') = refunded.bundle_id
ORDER BY refunded.refunds DESC, 1, 2, 3, 4;
