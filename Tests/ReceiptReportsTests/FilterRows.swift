/// Tables that a refresh makes, with rows set by hand: four apps and environments, whose newest documents are of
/// 2024-03, 2025-01, 2023-01 and 2022-06, and the months of 2008 to 2040 in UTC.
let filterRows = """
    DROP TABLE IF EXISTS model_months;
    CREATE TABLE model_months (
        month_number INTEGER PRIMARY KEY, month TEXT NOT NULL, begins_ms INTEGER NOT NULL, ends_ms INTEGER NOT NULL
    ) STRICT;
    WITH RECURSIVE counted (number) AS (
        SELECT 12 * 2008 UNION ALL SELECT number + 1 FROM counted WHERE number < 12 * 2040 + 11
    ),
    dated AS (
        SELECT number, printf('%04d-%02d', number / 12, number % 12 + 1) AS month FROM counted
    )
    INSERT INTO model_months
    SELECT number, month, unixepoch(month || '-01') * 1000, unixepoch(month || '-01', '+1 month') * 1000 FROM dated;
    DROP TABLE IF EXISTS model_apps;
    CREATE TABLE model_apps (
        app_id INTEGER, environment TEXT, bundle_id TEXT, horizon_ms INTEGER, first_notification_ms INTEGER,
        newest_notification_ms INTEGER, complete_month INTEGER
    ) STRICT;
    INSERT INTO app VALUES
        (1, 'Production', 'com.example.cards'), (2, 'Sandbox', 'com.example.cards'), (3, '', 'com.example.chess'),
        (4, 'Production', 'com.example.chess');
    INSERT INTO model_apps VALUES
        (1, 'Production', 'com.example.cards', unixepoch('2024-03-10 12:00:00') * 1000, NULL, NULL, 24289),
        (2, 'Sandbox', 'com.example.cards', unixepoch('2025-01-31 23:59:59') * 1000, NULL, NULL, 24299),
        (3, '', 'com.example.chess', unixepoch('2023-01-01') * 1000, NULL, NULL, 24275),
        (4, 'Production', 'com.example.chess', unixepoch('2022-06-30') * 1000, NULL, NULL, 24269);
    """
