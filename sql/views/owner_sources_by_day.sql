-- Owners of an app, those of app_owners, counted by the day on which they were first seen and by what they are known by.
--
-- Columns:
--   app_number      –                –     the app's number in this database alone
--   first_seen_day  days since 1970  line  day on which they first presented a document; null where nothing dates it
--   source          –                –     `receipts`: they presented receipts alone; `signed`: signed data alone; `both`
--   owners          owners           –     how many
CREATE VIEW owner_sources_by_day AS
SELECT
    app_number,
    nullif(said / 4, 1 << 30) - 1000000 AS first_seen_day,
    CASE said % 4 WHEN 0 THEN 'receipts' WHEN 1 THEN 'both' ELSE 'signed' END AS source,
    count(*) AS owners
FROM (
    SELECT
        app_number,
        min(said) / 2 * 4 + min(said % 2) + max(said % 2) AS said
    FROM (
        SELECT
            app_number,
            owner,
            is_device,
            -- Day, counted from a million before 1970, and source: one number sorts faster than a time and a text.
            coalesce(
                CASE WHEN presented_ms < seen.midnight_ms THEN seen.earlier_day ELSE seen.later_day END + 1000000,
                1 << 30
            ) * 2 + is_signed AS said
        FROM owners_by_document
        LEFT JOIN model_utc_days AS seen ON seen.utc_day = presented_ms / 86400000
        LIMIT -1
    ) AS shown
    GROUP BY owner, is_device, app_number
) AS owned
GROUP BY said, app_number;
