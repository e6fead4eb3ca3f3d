-- How far the clock by which days are told is ahead of UTC: nothing here, and hidden
-- by a temporary table of the same name where a run is given --param time_zone. All days,
-- weeks and months of views and reports are told by it, but on fraud; moments are not.
--
-- Columns:
--   ms      milliseconds  –  how far; negative west of Greenwich
--   second  seconds       –  the same
--   suffix  –             –  what a moment of that clock ends in: Z, or the offset, such as +09:00
CREATE VIEW zone_offset AS
SELECT
    0 AS ms,
    0 AS second,
    'Z' AS suffix;
