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

spans AS (
    SELECT
        periods.*,
        begun.grain,
        begun.period_number AS first_number,
        coalesce(ended.period_number, 999999) - 1 AS last_number,
        coalesce(paid.period_number, 999999) - 1 AS last_paid_number
    FROM counted_periods AS periods
    CROSS JOIN days AS begun ON begun.day_number = periods.start_day
    LEFT JOIN days AS ended
        ON ended.grain = begun.grain
        AND ended.day_number = periods.counted_day
    LEFT JOIN days AS paid
        ON paid.grain = begun.grain
        AND paid.day_number = periods.end_day
),

followed AS (
    SELECT
        grain,
        app_number,
        original_number,
        next_start_second,
        CASE WHEN next_start_second IS NULL AND is_upgraded = 0 THEN counted_until END AS until_second,
        currency,
        price_source,
        milliunits,
        first_number,
        last_number,
        last_paid_number,
        CASE WHEN first_value(transaction_number) OVER whole = transaction_number THEN 1 ELSE 0 END AS is_first,
        lead(first_number) OVER subscription AS later_number,
        lead(currency) OVER subscription AS later_currency,
        lead(price_source) OVER subscription AS later_source,
        lead(milliunits) OVER subscription AS later_milliunits
    FROM spans
    WHERE is_free = 0
        AND first_number <= last_number
    -- Windows of one order, which SQLite works out together; it begins with that of terms_by_number.
    WINDOW subscription AS (
        PARTITION BY original_number, app_number, grain
        ORDER BY start_second, transaction_number
    ),
    whole AS (
        PARTITION BY original_number, app_number, grain
        ORDER BY start_second, transaction_number
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
    )
),

final AS (
    SELECT
        app_number,
        original_number,
        start_day,
        counted_day,
        CASE WHEN is_upgraded = 0 THEN counted_until END AS until_second
    FROM counted_periods
    WHERE next_start_second IS NULL
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
),

moved AS (
    SELECT
        judged.*,
        parts.part,
        CASE
            WHEN judged.later_number IS NOT NULL
                OR begun.period_number > judged.last_number + 1
                OR CASE WHEN final.counted_day IS NOT NULL THEN coalesce(ended.period_number, 999999) END
                    > judged.last_number + 1
                THEN 0
            WHEN horizons.bound_ms < coalesce(final.until_second, judged.until_second) * 1000 THEN NULL
            WHEN horizons.known_ms >= coalesce(final.until_second, judged.until_second) * 1000 THEN 0
            ELSE coalesce(final.until_second, judged.until_second)
        END AS gone_until
    FROM judged
    -- The subscription's last period may be one that does not count.
    LEFT JOIN final
        ON judged.later_number IS NULL
        AND judged.next_start_second IS NOT NULL
        AND final.original_number = judged.original_number
        AND final.app_number = judged.app_number
    LEFT JOIN days AS begun
        ON begun.grain = judged.grain
        AND begun.day_number = final.start_day
    LEFT JOIN days AS ended
        ON ended.grain = judged.grain
        AND ended.day_number = final.counted_day
    LEFT JOIN horizons_by_number AS horizons
        ON judged.later_number IS NULL
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
    CASE WHEN part = 'gone' THEN gone_until END AS until_second,
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
