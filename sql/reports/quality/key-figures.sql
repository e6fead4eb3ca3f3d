-- key-figures: Key figures
-- How much does the database hold, and how much of it asks to be looked at?
--
-- Grain: one row per figure
--
-- Parameters:
--   :environment  environments  Production,ProductionVPP  environments counted, separated by commas; or all
--   :bundle       bundle        all                       bundle identifier of the app; or all
--
-- Columns:
--   figure   text     what is counted
--   value    integer  how many
--   meaning  text     what one of them is
--
-- Notes:
--   Signals count whatever the environment: a sandbox receipt is one itself. A line
--   that shows signals of two severities counts under both. Who owns two apps is an
--   owner of each, as in freemium-migration.
--   No chart: the figures count different things.
--
-- Example:
--   receiptmill report key-figures --database mill.sqlite

WITH bought AS (
    SELECT
        coalesce(sum(purchases), 0) AS purchases,
        coalesce(sum(is_refund * purchases), 0) AS refunds
    FROM daily_purchases
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
),

moment AS (
    SELECT app_number, day, day_number * 86400 + 86399 - (SELECT second FROM zone_offset) AS second FROM app_horizons
),

signals AS (
    SELECT severity, count(DISTINCT archive || ' ' || CAST(line AS VARCHAR(20))) AS lines
    FROM fraud_signals
    WHERE coalesce(:bundle, 'all') IN ('all', bundle_id)
    GROUP BY severity
),

figures AS (
    SELECT
        1 AS place,
        'receipts' AS figure,
        coalesce(sum(receipts), 0) AS value,
        'distinct receipts that are trusted' AS meaning
    FROM daily_receipts
    WHERE verdict = 'trusted'
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    UNION ALL
    SELECT 2, 'owners', coalesce(sum(owners), 0), 'accounts of an app, and devices without an account'
    FROM owner_standing
    WHERE (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    UNION ALL
    SELECT 3, 'active_subscriptions', count(*),
        'subscriptions running at the end of their app''s newest day, at the latest ' || coalesce(max(moment.day), '–')
    FROM moment
    JOIN subscription_terms ON subscription_terms.app_number = moment.app_number
    WHERE start_second <= moment.second
        -- What has expired has ended; the rest need not be looked up for it, nor the moment for most periods.
        AND expiry_second > (SELECT min(second) FROM moment)
        AND expiry_second > moment.second
        AND end_second > moment.second
        AND (next_start_second IS NULL OR next_start_second > moment.second)
        AND (
            coalesce(:environment, 'Production,ProductionVPP') = 'all'
            OR instr(
                ',' || coalesce(:environment, 'Production,ProductionVPP') || ',',
                ',' || environment || ',') > 0
        )
        AND coalesce(:bundle, 'all') IN ('all', bundle_id)
    UNION ALL
    SELECT 4, 'purchases', purchases, 'transactions, free trials and canceled ones included'
    FROM bought
    UNION ALL
    SELECT 5, 'refunds', refunds, 'purchases that were canceled, upgrades and free trials left out'
    FROM bought
    UNION ALL
    SELECT 6, 'high_signals', coalesce(max(lines), 0), 'lines with evidence that stands alone'
    FROM signals
    WHERE severity = 'high'
    UNION ALL
    SELECT 7, 'medium_signals', coalesce(max(lines), 0), 'lines that are worth a look'
    FROM signals
    WHERE severity = 'medium'
    UNION ALL
    SELECT 8, 'low_signals', coalesce(max(lines), 0), 'lines that are odd, often innocent'
    FROM signals
    WHERE severity = 'low'
    UNION ALL
    SELECT 9, 'rejected_lines', count(*), 'lines that hold no readable receipt, of all apps'
    FROM rejections
)

SELECT figure, value, meaning
FROM figures
WHERE (SELECT count(*) FROM archives) > 0
ORDER BY place;
