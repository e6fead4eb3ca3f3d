-- One row per day on which periods of subscriptions ended and were not followed
-- at once: those that lapsed or were renewed late, counted by how late. Counting
-- by number before names are looked up is what lets reports over all periods
-- answer fast. Upgrades go on, and are left out.
--
-- Whether a period lapsed is known only where the subscription is known beyond its
-- end; how far it has to be is for the reader to say, as a number of days of grace.
--
-- Columns:
--   environment     –                attribute 0     as in purchases
--   bundle_id       –                attribute 2     as in purchases
--   product_id      –                attribute 1702  product of the periods that ended
--   end_day         days since 1970  –               day of the end
--   days_known      days             –               whole days from the end until the subscription is known, as in
--                                                    `subscription_horizons`; -1 where nothing made since the end tells
--                                                    of it
--   days_past       days             –               whole days from the end to the app's newest document, as in
--                                                    `app_horizons`
--   horizon_day     days since 1970  –               day of that document
--   pause_days      days             –               days until the next period began, begun ones counted whole; null
--                                                    where there is none
--   next_start_day  days since 1970  attribute 1704  day on which the next period began
--   is_canceled     0 or 1           attribute 1712  1: ended by a cancellation
--   periods         periods          –               how many
CREATE VIEW subscription_ends AS
SELECT
    nullif(app.environment, '') AS environment,
    nullif(app.bundle_id, '') AS bundle_id,
    product.product_id,
    counted.end_day,
    counted.days_known,
    counted.days_past,
    counted.horizon_day,
    counted.pause_days,
    counted.next_start_day,
    counted.is_canceled,
    counted.periods
FROM (
    SELECT
        ended.app_id,
        ended.product_number,
        (ended.end_ms + (SELECT ms FROM zone_offset)) / 86400000 AS end_day,
        CASE
            WHEN known.known_until_ms / 1000 >= ended.end_ms / 1000
                THEN (known.known_until_ms / 1000 - ended.end_ms / 1000) / 86400
            ELSE -1
        END AS days_known,
        (seen.second - ended.end_ms / 1000) / 86400 AS days_past,
        seen.day_number AS horizon_day,
        (ended.next_start_second - ended.end_ms / 1000 + 86399) / 86400 AS pause_days,
        (ended.next_start_second + (SELECT second FROM zone_offset)) / 86400 AS next_start_day,
        CASE WHEN ended.end_ms / 1000 < ended.expires_date / 1000 THEN 1 ELSE 0 END AS is_canceled,
        count(*) AS periods
    FROM (
        -- As in subscription_terms, but most periods go on at once and need not be looked at for copies and upgrades;
        -- those that the next period cuts short are among them.
        SELECT
            term.app_id,
            term.original_transaction_id,
            term.transaction_id,
            term.product_number,
            term.purchase_date,
            term.expires_date,
            term.cancellation_date,
            max(term.purchase_date, min(term.expires_date, coalesce(term.cancellation_date, term.expires_date)))
                AS end_ms,
            (
                SELECT next.purchase_date / 1000 FROM unshared_purchases AS next
                WHERE next.app_id = term.app_id
                    AND next.original_transaction_id = coalesce(term.original_transaction_id, term.transaction_id)
                    AND (next.purchase_date, next.expires_date) > (term.purchase_date, term.expires_date)
                    AND next.expires_date > next.purchase_date
                ORDER BY next.purchase_date, next.expires_date, next.transaction_id
                LIMIT 1
            ) AS next_start_second
        FROM unshared_purchases AS term
        WHERE term.expires_date > term.purchase_date
        -- The limit keeps the next period from being looked up for every use of it.
        LIMIT -1
    ) AS ended
    JOIN app_horizons AS seen ON seen.app_number = ended.app_id
    CROSS JOIN subscription_horizons AS known
        ON known.original_number = coalesce(ended.original_transaction_id, ended.transaction_id)
        AND known.app_number = ended.app_id
    WHERE (ended.next_start_second IS NULL OR ended.next_start_second > ended.end_ms / 1000)
        AND ended.end_ms / 1000 <= seen.second
        AND NOT EXISTS (
            SELECT 1 FROM unshared_purchases AS copy
            WHERE copy.app_id = ended.app_id
                AND copy.original_transaction_id = ended.original_transaction_id
                AND copy.purchase_date = ended.purchase_date
                AND copy.expires_date = ended.expires_date
                AND copy.transaction_id <> ended.transaction_id
                AND (copy.cancellation_date IS NULL, copy.transaction_id)
                    < (ended.cancellation_date IS NULL, ended.transaction_id)
        )
        AND NOT EXISTS (
            SELECT 1 FROM unshared_purchases AS upgrade
            WHERE ended.cancellation_date IS NOT NULL
                AND upgrade.app_id = ended.app_id
                AND upgrade.original_transaction_id = coalesce(ended.original_transaction_id, ended.transaction_id)
                AND upgrade.product_number <> ended.product_number
                AND upgrade.purchase_date BETWEEN ended.cancellation_date - 60000 AND ended.cancellation_date + 60000
        )
    -- The keys that differ most come first, which makes the sort cheaper.
    GROUP BY 3, 4, 5, 2, 7, 8, 9, 6, 1
) AS counted
JOIN app ON app.app_id = counted.app_id
LEFT JOIN product ON product.product_number = counted.product_number;
