-- What moved recurring revenue, one row per movement of a subscription from the end of a month, a week or a day to the
-- end of the next. A subscription counts by the period that runs at such an end, at its price by the month.
--
-- Columns:
--   grain          –                   –  `month`, `week` or `day`, as in calendar_grains
--   app_number     –                   –  the app's number in this database alone
--   period_number  –                   –  the month, week or day at whose end it is seen, as in calendar_grains
--   currency       –                   –  currency of the price; `(none)` where there is no price
--   price_source   –                   –  as in priced_purchases; `none` where there is no price by the month
--   movement       –                   –  `new`; `reactivation`: it did not count at the end before, but earlier;
--                                         `expansion`, `contraction`; `moved_in`, `moved_out`: to another currency or
--                                         price source; `gone`; `grace`, which is none: it counts by its grace period
--   until_second   seconds since 1970  –  of one that is gone: 0 where a document of its owner says so, null where none
--                                         tells, else the moment from which on a notification of the app would
--   milliunits     milliunits          –  by how much
CREATE VIEW movements_by_number AS
WITH days AS (
    SELECT grain, day_number, period_number FROM calendar_grains
),

graces AS (
    SELECT app_number, original_number, start_second, max(grace_second) AS grace_second
    FROM period_renewals
    WHERE grace_second IS NOT NULL
    GROUP BY original_number, app_number, start_second
),

periods AS (
    SELECT
        periods.app_number,
        periods.original_number,
        periods.transaction_number,
        periods.start_second,
        periods.next_start_second,
        periods.is_upgraded,
        CASE WHEN periods.sale = 'free' THEN 1 ELSE 0 END AS is_free,
        CASE WHEN periods.month_milliunits IS NULL THEN 'none' ELSE periods.price_source END AS price_source,
        CASE WHEN periods.month_milliunits IS NULL THEN '(none)' ELSE periods.currency END AS currency,
        coalesce(periods.month_milliunits, 0) AS milliunits,
        periods.end_second,
        CASE
            WHEN periods.end_second < periods.expiry_second OR graces.grace_second IS NULL
                OR graces.grace_second < periods.end_second
                THEN periods.end_second
            WHEN periods.next_start_second < graces.grace_second THEN periods.next_start_second
            ELSE graces.grace_second
        END AS counted_until
    FROM periods_by_number AS periods
    LEFT JOIN graces
        ON graces.original_number = periods.original_number
        AND graces.app_number = periods.app_number
        AND graces.start_second = periods.start_second
),

dated AS (
    SELECT
        periods.*,
        (start_second + (SELECT second FROM zone_offset)) / 86400 AS start_day,
        (end_second + (SELECT second FROM zone_offset)) / 86400 AS end_day,
        (counted_until + (SELECT second FROM zone_offset)) / 86400 AS counted_day
    FROM periods
),

spans AS (
    SELECT
        dated.*,
        begun.grain,
        begun.period_number AS first_number,
        coalesce(ended.period_number, 999999) - 1 AS last_number,
        coalesce(paid.period_number, 999999) - 1 AS last_paid_number
    FROM dated
    CROSS JOIN days AS begun ON begun.day_number = dated.start_day
    LEFT JOIN days AS ended
        ON ended.grain = begun.grain
        AND ended.day_number = dated.counted_day
    LEFT JOIN days AS paid
        ON paid.grain = begun.grain
        AND paid.day_number = dated.end_day
),

-- Of each subscription first the periods that count, each beside the next that does. Windows of one order, which SQLite
-- works out together.
followed AS (
    SELECT
        grain,
        app_number,
        original_number,
        is_counted,
        currency,
        price_source,
        milliunits,
        first_number,
        last_number,
        last_paid_number,
        CASE WHEN first_value(transaction_number) OVER whole = transaction_number THEN 1 ELSE 0 END AS is_first,
        lead(CASE WHEN is_counted = 1 THEN first_number END) OVER subscription AS later_number,
        lead(currency) OVER subscription AS later_currency,
        lead(price_source) OVER subscription AS later_source,
        lead(milliunits) OVER subscription AS later_milliunits,
        max(CASE WHEN next_start_second IS NULL THEN first_number END) OVER whole AS final_first_number,
        max(CASE WHEN next_start_second IS NULL THEN last_number END) OVER whole AS final_last_number,
        max(CASE WHEN next_start_second IS NULL AND is_upgraded = 0 THEN counted_until END) OVER whole AS final_until
    FROM (
        SELECT spans.*, CASE WHEN is_free = 0 AND first_number <= last_number THEN 1 ELSE 0 END AS is_counted
        FROM spans
    ) AS spans
    WINDOW subscription AS (
        PARTITION BY original_number, app_number, grain
        ORDER BY is_counted DESC, start_second, transaction_number
    ),
    whole AS (
        PARTITION BY original_number, app_number, grain
        ORDER BY is_counted DESC, start_second, transaction_number
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
),

judged AS (
    SELECT
        followed.*,
        CASE WHEN later_number IS NULL OR later_number > last_number + 1 THEN 1 ELSE 0 END AS is_gone,
        CASE
            WHEN later_number = last_number + 1 AND (later_currency <> currency OR later_source <> price_source) THEN 1
            ELSE 0
        END AS is_moved,
        CASE
            WHEN later_number > last_number + 1
                OR (
                    later_number = last_number + 1
                    AND (later_currency <> currency OR later_source <> price_source OR later_milliunits <> milliunits)
                )
                THEN 1
            ELSE 0
        END AS is_followed,
        CASE WHEN last_number > last_paid_number THEN 1 ELSE 0 END AS is_grace
    FROM followed
    WHERE is_counted = 1
),

moved AS (
    SELECT
        judged.*,
        parts.part,
        CASE
            WHEN final_first_number > last_number + 1 OR final_last_number > last_number THEN 0
            WHEN horizons.bound_ms < final_until * 1000 THEN NULL
            WHEN horizons.known_ms >= final_until * 1000 THEN 0
            ELSE final_until
        END AS until_second
    FROM judged
    LEFT JOIN horizons_by_number AS horizons
        ON is_gone = 1
        AND NOT (final_first_number > last_number + 1 OR final_last_number > last_number)
        AND horizons.original_number = judged.original_number
        AND horizons.app_number = judged.app_number
    JOIN (
        SELECT 'first' AS part UNION ALL SELECT 'next' UNION ALL SELECT 'moved' UNION ALL SELECT 'gone' UNION ALL SELECT 'grace'
    ) AS parts
        ON CASE parts.part
            WHEN 'first' THEN is_first
            WHEN 'next' THEN is_followed
            WHEN 'moved' THEN is_moved
            WHEN 'gone' THEN is_gone
            ELSE is_grace
        END = 1
    WHERE is_first + is_followed + is_moved + is_gone + is_grace > 0
)

SELECT
    grain,
    app_number,
    CASE part
        WHEN 'first' THEN first_number
        WHEN 'gone' THEN last_number + 1
        WHEN 'grace' THEN last_number
        ELSE later_number
    END AS period_number,
    CASE WHEN part = 'next' THEN later_currency ELSE currency END AS currency,
    CASE WHEN part = 'next' THEN later_source ELSE price_source END AS price_source,
    CASE part
        WHEN 'first' THEN 'new'
        WHEN 'next' THEN CASE
            WHEN is_gone = 1 THEN 'reactivation'
            WHEN is_moved = 1 THEN 'moved_in'
            WHEN later_milliunits > milliunits THEN 'expansion'
            ELSE 'contraction'
        END
        WHEN 'moved' THEN 'moved_out'
        WHEN 'gone' THEN 'gone'
        ELSE 'grace'
    END AS movement,
    CASE WHEN part = 'gone' THEN until_second END AS until_second,
    CASE part
        WHEN 'next' THEN CASE
            WHEN is_gone = 1 OR is_moved = 1 THEN later_milliunits
            ELSE later_milliunits - milliunits
        END
        WHEN 'moved' THEN -milliunits
        WHEN 'gone' THEN -milliunits
        ELSE milliunits
    END AS milliunits
FROM moved;
