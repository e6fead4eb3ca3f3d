-- subscriptions-active: Subscriptions active on a day
-- How many subscriptions were running on a day, by product, paid or on trial?
--
-- Grain: one row per environment, bundle_id, product_id, period_kind
--
-- Parameters:
--   :environment  environments      Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle            all                       bundle identifier of the app; or all
--   :on           date(2008-01-01..2040-12-31)  null  day as of whose last second it is asked; that of the newest
--                                                             document of each app and environment unless set
--   :grace_days   integer(0..3650)  0                         days after an unrenewed end during which it still
--                                                             counts, as in_grace
--
-- Columns:
--   on_day       date                    the day, as of whose last second it is counted
--   environment  text                    environment of the subscriptions
--   bundle_id    text                    bundle identifier of the app
--   product_id   text                    product of the period that was running
--   period_kind  text                    paid, trial or introductory
--   active       integer(subscriptions)  running at that moment
--   in_grace     integer(subscriptions)  ended up to grace_days before and known not to be renewed
--   unknown      integer(subscriptions)  ended, and nothing made since tells whether they were renewed
--
-- Chart: bars  x=product_id  y=active  series=period_kind
--
-- Notes:
--   Family members' shares are left out: the buyer's subscription counts once.
--   Expiration and cancellation dates decide. A period runs from its purchase to its
--   expiration, its cancellation, or the begin of the next period, whichever comes
--   first; at its last second it runs no more. A subscription counts once, by its
--   newest period begun.
--   Billing is retried for up to 60 days and grace periods are not in receipts:
--   grace_days is a guess of yours. Canceled periods have no grace.
--   The store tells of a renewal only in documents made after it: what ended is over
--   where the subscription is known beyond its end, as in the view subscription_horizons;
--   else it may run still and counts as unknown, however long ago it ended. The number of
--   active ones lies between active and active and unknown together.
--
-- Example:
--   receiptmill report subscriptions-active --database mill.sqlite --param on=2024-06-30

WITH moment AS (
    SELECT
        app_number,
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        coalesce(:on, day) AS on_day,
        coalesce((SELECT day_number FROM calendar WHERE day = :on), day_number) * 86400 + 86399
            - (SELECT second FROM zone_offset) AS second
    FROM app_horizons
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

-- Counted by number before names are joined.
counted AS (
    SELECT
        terms.app_number,
        terms.product_number,
        terms.kind,
        sum(CASE WHEN terms.end_second > moment.second THEN 1 ELSE 0 END) AS active,
        sum(
            CASE
                WHEN terms.end_second <= moment.second AND terms.known_until_ms >= 1000 * terms.end_second THEN 1
                ELSE 0
            END) AS in_grace,
        sum(
            CASE
                WHEN terms.end_second <= moment.second AND terms.known_until_ms < 1000 * terms.end_second THEN 1
                ELSE 0
            END) AS unknown
    FROM known_terms_by_number AS terms
    JOIN moment ON moment.app_number = terms.app_number
    WHERE terms.start_second <= moment.second
        -- Follows from the others, and spares the rest the look-up of what is known of them.
        AND (terms.next_start_second IS NULL OR terms.next_start_second > (SELECT min(second) FROM moment))
        AND (
            terms.end_second > moment.second
            OR terms.cancellation_second IS NULL
            OR terms.cancellation_second > moment.second
        )
        AND (
            terms.expiry_second > moment.second - 86400 * coalesce(CAST(:grace_days AS BIGINT), 0)
            OR terms.known_until_ms < 1000 * terms.end_second
        )
        AND (terms.next_start_second IS NULL OR terms.next_start_second > moment.second)
    GROUP BY terms.product_number, terms.kind, terms.app_number
)

SELECT
    moment.on_day,
    moment.environment,
    moment.bundle_id,
    coalesce(product_names.product_id, '(none)') AS product_id,
    counted.kind AS period_kind,
    counted.active,
    counted.in_grace,
    counted.unknown
FROM counted
JOIN moment ON moment.app_number = counted.app_number
LEFT JOIN product_names ON product_names.product_number = counted.product_number
ORDER BY 2, 3, 4, 5;
