-- One row per day in UTC, with the days of the database's time zone that it is a part of. A moment's day is that of the row
-- of its first ten characters: day if the moment is before next_begins, else next_day.
--
-- Columns:
--   utc_day      day   –  the day in UTC
--   day          day   –  the day before the first midnight in it
--   next_day     day   –  the day that begins then
--   next_begins  time  –  when that is
CREATE VIEW zone_days AS
SELECT
    strftime('%Y-%m-%d', zone.utc_day * 86400, 'unixepoch') AS utc_day,
    earlier.day,
    later.day AS next_day,
    strftime('%Y-%m-%dT%H:%M:%SZ', zone.midnight_ms / 1000, 'unixepoch') AS next_begins
FROM model_utc_days AS zone
LEFT JOIN model_days AS earlier ON earlier.day_number = zone.earlier_day
LEFT JOIN model_days AS later ON later.day_number = zone.later_day
-- Grouped, so that SQLite finds a day by an index.
GROUP BY 1, 2, 3, 4;
