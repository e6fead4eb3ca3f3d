-- One row per version: its place among all, by number. Reports find the highest version by its place, and join the name
-- behind.
--
-- Columns:
--   version_number  –  –  the version's number in this database alone
--   version_place   –  –  its place in this database alone: that of a higher version is greater
--   version         –  –  the version
CREATE VIEW version_places AS
SELECT
    version_id AS version_number,
    row_number() OVER (ORDER BY version_key, version) AS version_place,
    version
FROM version;
