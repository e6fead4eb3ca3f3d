-- One row per day of 2008 to 2040 in UTC, with the days of the database's time zone that it is a part of. A moment's day
-- is that of the row of its first ten characters: day if the moment is before next_begins, else next_day.
--
-- Columns:
--   utc_day      day   –  the day in UTC
--   day          day   –  the day of the database's time zone at its begin
--   next_day     day   –  the day at its end
--   next_begins  time  –  when that begins, in UTC
CREATE VIEW zone_days AS
SELECT
    turned.utc_day,
    earlier.day,
    later.day AS next_day,
    turned.next_begins
FROM (
    -- Distinct, so that SQLite finds a day by an index.
    SELECT DISTINCT
        strftime('%Y-%m-%d', utc_day * 86400000 / 1000, 'unixepoch') AS utc_day,
        strftime('%Y-%m-%dT%H:%M:%SZ', midnight_ms / 1000, 'unixepoch') AS next_begins,
        earlier_day,
        later_day
    FROM model_utc_days
) AS turned
LEFT JOIN model_days AS earlier ON earlier.day_number = turned.earlier_day
LEFT JOIN model_days AS later ON later.day_number = turned.later_day;
