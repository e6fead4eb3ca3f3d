-- One row per day of calendar in UTC, with the days that it is a part of by the clock of
-- zone_offset. A moment's day is that of the row of its first ten characters: day if the
-- moment is before next_begins, else next_day.
--
-- Columns:
--   utc_day      day   –  the day in UTC
--   day          day   –  day by the clock at its begin
--   next_day     day   –  the day after that
--   next_begins  time  –  when that begins; in UTC itself behind the row's day
CREATE VIEW zone_days AS
SELECT
    turned.utc_day,
    strftime('%Y-%m-%d', turned.day_number * 86400000 / 1000, 'unixepoch') AS day,
    strftime('%Y-%m-%d', (turned.day_number * 86400000 + 86400000) / 1000, 'unixepoch') AS next_day,
    strftime('%Y-%m-%dT%H:%M:%SZ', (turned.day_number * 86400000 + 86400000 - turned.ms) / 1000, 'unixepoch')
        AS next_begins
FROM (
    SELECT
        calendar.day AS utc_day,
        (calendar.day_number * 86400000 + zone_offset.ms) / 86400000 AS day_number,
        zone_offset.ms
    FROM calendar
    CROSS JOIN zone_offset
    -- Grouped, so that SQLite finds a day by an index.
    GROUP BY 1, 2, 3
) AS turned;
