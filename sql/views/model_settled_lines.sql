-- Lines that hold no document and that nobody has to correct: headers of tables, and purchases of other stores.
--
-- Columns:
--   archive_id  –  the archive, by the loader's number
--   line        –  the line in it, from 1
--   reason      –  table_header, google_play or amazon_appstore
CREATE VIEW model_settled_lines AS
SELECT archive_id, line, reason
FROM rejection
WHERE reason IN ('table_header', 'google_play', 'amazon_appstore');
