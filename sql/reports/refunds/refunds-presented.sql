-- refunds-presented: Refunded purchases that are still presented
-- Which refunded purchases were presented after the refund, by a receipt that does not show it?
--
-- Grain: one row per environment, bundle_id, owner_kind, owner, transaction_id
--
-- Parameters:
--   :environment  environments   Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle         all                       bundle identifier of the app; or all
--   :days         integer(0..)   0                         least days from the refund to the last such submission
--   :from         date           2008-07-10                first day of refund that counts
--   :until        date(:from..)  9999-12-31                last day of refund that counts
--
-- Columns:
--   environment        text           environment of the purchase
--   bundle_id          text           bundle identifier of the app
--   owner_kind         text           account, or device where the account is not known
--   owner              text           account or device
--   transaction_id     text           the transaction
--   product_id         text           the product
--   refunded_at        time           when it was refunded
--   submissions        integer        submissions after the refund whose receipt is from before it
--   last_submitted_at  time           the last of them
--   days_after         integer(days)  whole days from the refund to that
--   account_id         text           the account, as the lines write it; null where none is known
--   device_id          text           the device that the owner presented from last; null where none is known
--   last_seen          time           when the owner presented a document of the app last
--   as_of              time           when the newest document of the app in that environment was made
--
-- Chart: bars  x=product_id  y=rows
--
-- Notes:
--   Who refreshes the receipt has it show the refund; such submissions don't count.
--   Soon after a refund this is innocent: an app sends the receipt that it has.
--
-- Example:
--   receiptmill report refunds-presented --database mill.sqlite --param days=30

WITH presented AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        owner_kind,
        owner,
        transaction_id,
        coalesce(product_id, '(none)') AS product_id,
        cancellation_date AS refunded_at,
        count(*) AS submissions,
        max(submitted_at) AS last_submitted_at,
        CAST((max(seconds_after_refund) - max(seconds_after_refund) % 86400) / 86400 AS BIGINT) AS days_after
    FROM owner_refunds
    JOIN zone_days ON zone_days.utc_day = substr(owner_refunds.cancellation_date, 1, 10)
    WHERE shows_refund = 0
        AND seconds_after_refund > 0
        AND CASE WHEN cancellation_date < next_begins THEN zone_days.day ELSE next_day END
            BETWEEN coalesce(:from, '2008-07-10') AND coalesce(:until, '9999-12-31')
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    GROUP BY
        coalesce(environment, '(none)'), coalesce(bundle_id, '(none)'), owner_kind, owner, transaction_id,
        coalesce(product_id, '(none)'), cancellation_date
    HAVING max(seconds_after_refund) >= 86400 * coalesce(CAST(:days AS BIGINT), 0)
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
        WHERE owner IN (SELECT owner FROM presented)
    ) AS placed
    WHERE place = 1
)

SELECT
    presented.environment,
    presented.bundle_id,
    presented.owner_kind,
    presented.owner,
    presented.transaction_id,
    presented.product_id,
    presented.refunded_at,
    presented.submissions,
    presented.last_submitted_at,
    presented.days_after,
    contact.account_id,
    contact.device_id,
    contact.last_seen,
    seen.as_of
FROM presented
LEFT JOIN contact
    ON contact.owner = presented.owner
    AND contact.owner_kind = presented.owner_kind
    AND contact.bundle_id = presented.bundle_id
    AND contact.environment = presented.environment
LEFT JOIN app_horizons AS seen
    ON coalesce(seen.environment, '(none)') = presented.environment
    AND coalesce(seen.bundle_id, '(none)') = presented.bundle_id
ORDER BY presented.days_after DESC, 1, 2, 3, 4, 5;
