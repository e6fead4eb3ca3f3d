-- notifications-by-type: Notifications by month and type
-- Which notifications came, how often was each delivered, and how late?
--
-- Grain: one row per environment, bundle_id, month, notification_type, subtype
--
-- Parameters:
--   :environment  environments    Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle          all                       bundle identifier of the app; or all
--   :from         month           2008-01                   first month shown; a week belongs to the month of its
--                                                           Monday
--   :until        month(:from..)  9999-12                   last month shown, likewise
--   :grain  text(month, week, day)  month  what a row counts: a month, a week that begins on Monday, or a day
--
-- Columns:
--   environment             text              environment of the notifications
--   bundle_id               text              bundle identifier of the app
--   month                   month             month in which the store signed them first; with :grain week the
--                                             Monday of the week, with day the day
--   notification_type       text              what happened, in the store's words
--   subtype                 text              more of the same; (none) where there is none
--   notifications           integer           different notifications
--   deliveries              integer           lines that delivered them
--   repeated_deliveries     integer           of these, those of a notification delivered before
--   timed_deliveries        integer           notifications of which a line tells the time of delivery
--   median_delivery_delay   integer(seconds)  of these: from signing to the first delivery; half come no later
--   longest_delivery_delay  integer(seconds)  the longest of these delays
--   dated_events            integer           of timed_deliveries, those that tell when the event happened
--   median_event_delay      integer(seconds)  of these: from the event to the first delivery; half come no later
--   longest_event_delay     integer(seconds)  the longest of these delays
--
-- Chart: bars  x=month  y=notifications  series=notification_type
--
-- Notes:
--   Deliveries of one identifier (notificationUUID) are one notification, in the month of
--   its first signature. One delivery too many is harmless; a server that grants
--   something for each has to know the identifier. One without identifier stands for
--   itself.
--   The event is the purchase date of SUBSCRIBED, DID_RENEW, ONE_TIME_CHARGE,
--   OFFER_REDEEMED and upgrades, the revocation date of REFUND and REVOKE, the
--   expiration of EXPIRED (after a billing retry it is not known), and the end of the
--   grace period of GRACE_PERIOD_EXPIRED. The store renews ahead: a delay below zero is a
--   notification that came before its period began.
--   Delays compare the store's clock with that of the archive's lines; a line that logs
--   an old notification, as from the store's history, counts with the time it was logged.
--   Of deliveries, those that retention deleted are not counted.
--
-- Example:
--   receiptmill report notifications-by-type --database mill.sqlite --param from=2025-01

WITH told AS (
    SELECT
        coalesce(environment, '(none)') AS environment,
        coalesce(bundle_id, '(none)') AS bundle_id,
        CASE coalesce(:grain, 'month')
            WHEN 'week' THEN signed_week
            WHEN 'day' THEN signed_date
            ELSE substr(signed_date, 1, 7)
        END AS month,
        notification_type,
        coalesce(subtype, '(none)') AS subtype,
        deliveries,
        delivered_second - signed_second AS delivery_delay,
        delivered_second - event_second AS event_delay
    FROM notification_events
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

placed AS (
    SELECT
        told.*,
        row_number() OVER (
            PARTITION BY environment, bundle_id, month, notification_type, subtype ORDER BY delivery_delay NULLS LAST
        ) AS delivery_place,
        count(delivery_delay) OVER (
            PARTITION BY environment, bundle_id, month, notification_type, subtype
        ) AS timed,
        row_number() OVER (
            PARTITION BY environment, bundle_id, month, notification_type, subtype ORDER BY event_delay NULLS LAST
        ) AS event_place,
        count(event_delay) OVER (
            PARTITION BY environment, bundle_id, month, notification_type, subtype
        ) AS dated
    FROM told
    WHERE substr(month, 1, 7) BETWEEN coalesce(:from, '2008-01') AND coalesce(:until, '9999-12')
)

SELECT
    environment,
    bundle_id,
    month,
    notification_type,
    subtype,
    count(*) AS notifications,
    sum(deliveries) AS deliveries,
    sum(CASE WHEN deliveries > 1 THEN deliveries - 1 ELSE 0 END) AS repeated_deliveries,
    max(timed) AS timed_deliveries,
    -- Of an even number, the lower of the two in the middle.
    max(CASE WHEN delivery_place * 2 IN (timed, timed + 1) THEN delivery_delay END) AS median_delivery_delay,
    max(delivery_delay) AS longest_delivery_delay,
    max(dated) AS dated_events,
    max(CASE WHEN event_place * 2 IN (dated, dated + 1) THEN event_delay END) AS median_event_delay,
    max(event_delay) AS longest_event_delay
FROM placed
GROUP BY environment, bundle_id, month, notification_type, subtype
ORDER BY environment, bundle_id, month, notification_type, subtype;
